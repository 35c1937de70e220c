// Flags that every command accepts, before or after its name.

import { globalFlag } from '../config/config-flags.ts'
import { COLOUR_MODES } from '../output/colour.ts'

export const GLOBAL_FLAGS = {
  json: globalFlag('json', { short: 'j' }),
  url: globalFlag('url', { takes: 'url' }),
  data: globalFlag('data', { takes: 'folder' }),
  api_key: globalFlag('api_key', { takes: 'key' }),
  signing_secret: globalFlag('signing_secret', { takes: 'secret' }),
  webhook_secret: globalFlag('webhook_secret', { takes: 'secret' }),
  control_token: globalFlag('control_token', { takes: 'token' }),
  color: globalFlag('color', { takes: 'when', choices: COLOUR_MODES }),
  quiet: globalFlag('quiet', { short: 'q' }),
  debug: globalFlag('debug'),
}
