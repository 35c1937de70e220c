// undici in a module of its own, so that it is loaded when the first webhook leaves: it doubles the time of a start.
export { Agent, Client, Pool } from 'undici'
