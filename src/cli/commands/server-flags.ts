// The flags of a server, for `serve` and `exec`.
import { configFlag } from '../config/config-flags.ts'
import { list } from '../parsing/flags.ts'
import { settingPair } from '../parsing/parse.ts'

export const SERVER_FLAGS = {
  port: configFlag('port', { takes: 'n', short: 'p', more: ', default 7770' }),
  host: configFlag('host', { takes: 'address', more: ', default 127.0.0.1' }),
  ephemeral: configFlag('ephemeral'),
  seed: configFlag('seed', { takes: 'file' }),
  clock: configFlag('clock', { takes: 'clock' }),
  buyer: configFlag('buyer', { takes: 'who' }),
  random_seed: configFlag('random_seed', { takes: 'n' }),
  endpoint: configFlag('endpoint', { takes: 'url' }),
  rate_limit: configFlag('rate_limit', { takes: 'n' }),
  pay_url: configFlag('pay_url', { takes: 'url' }),
  shard: configFlag('shard', { takes: 'n' }),
  durable: configFlag('durable'),
  generate_credentials: configFlag('generate_credentials'),
  settings: list('--set <name=value>', 'a setting, see psp settings (PSP_SET_NAME)', settingPair),
}
