// A separate module, so that undici is loaded with the first webhook: it doubles the start time.
export { Agent, Client, Pool } from 'undici'
