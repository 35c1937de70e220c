// A separate module, so that undici is loaded only with the first webhook. Loading it doubles the start time.
export { Agent, Client, Pool } from 'undici'
