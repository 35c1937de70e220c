// The flags of a server, for `serve` and `exec`. Those named like a configuration key are that configuration.
import { CONFIG_KEYS } from '../config-keys.ts'
import { configuring, list, toggle, value } from '../flags.ts'
import { forwardUrl } from '../forward-url.ts'
import { filled, integer, listenHost, oneOf, settingPair } from '../parse.ts'

const about = (key: keyof typeof CONFIG_KEYS) => `${CONFIG_KEYS[key].about} (${CONFIG_KEYS[key].env})`

export const SERVER_FLAGS = {
  ...configuring({
    port: value('--port <n>', `${about('port')}, default 7770`, integer(0, 65_535)),
    host: value('--host <address>', `${about('host')}, default 127.0.0.1`, listenHost),
    ephemeral: toggle('--ephemeral', about('ephemeral')),
    seed: value('--seed <file>', about('seed'), filled),
    clock: value('--clock <clock>', about('clock'), filled),
    buyer: value('--buyer <who>', about('buyer'), (text) => oneOf(text, ['auto', 'manual'])),
    random_seed: value('--random-seed <n>', about('random_seed'), integer(0)),
    endpoint: list('--endpoint <url>', about('endpoint'), forwardUrl),
    rate_limit: value('--rate-limit <n>', about('rate_limit'), integer(0)),
    pay_host: value('--pay-host <url>', about('pay_host'), filled),
    shard: value('--shard <n>', about('shard'), integer(0, 255)),
    durable: toggle('--durable', about('durable')),
    generate_credentials: toggle('--generate-credentials', about('generate_credentials')),
  }),
  settings: list('--set <name=value>', 'a setting, see psp settings (PSP_SET_NAME)', settingPair),
}
