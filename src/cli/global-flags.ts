// Flags every command takes, before or after its name.
import { COLOUR_MODES } from './colour.ts'
import { CONFIG_KEYS } from './config-keys.ts'
import { choice, configuring, toggle, value } from './flags.ts'
import { filled, oneOf, secret } from './parse.ts'

export const GLOBAL_FLAGS = configuring({
  json: toggle('--json', CONFIG_KEYS.json.about),
  url: value('--url <url>', CONFIG_KEYS.url.about, filled),
  data: value('--data <folder>', CONFIG_KEYS.data.about, filled),
  api_key: value('--api-key <key>', CONFIG_KEYS.api_key.about, secret),
  signing_secret: value('--signing-secret <secret>', CONFIG_KEYS.signing_secret.about, secret),
  webhook_secret: value('--webhook-secret <secret>', CONFIG_KEYS.webhook_secret.about, secret),
  control_token: value('--control-token <token>', CONFIG_KEYS.control_token.about, secret),
  color: choice('--color <when>', 'colour', COLOUR_MODES, oneOf),
  quiet: toggle('--quiet', CONFIG_KEYS.quiet.about),
  debug: toggle('--debug', CONFIG_KEYS.debug.about),
})
