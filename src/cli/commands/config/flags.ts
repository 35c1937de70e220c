import { toggle } from '../../parsing/flags.ts'

export const CONFIG_FLAGS = {
  env: toggle('--env', 'what an application needs, ready for its .env: PSP_URL, PSP_API_KEY and the secrets'),
}
