import { command } from '../command.ts'
import { toggle } from '../parsing/flags.ts'

export const CONFIG_FLAGS = {
  env: toggle('--env', 'print the lines of an .env file for an application: PSP_URL, PSP_API_KEY and the secrets'),
}

export const config = command({
  description: 'Show the merged configuration and where each value came from.',
  flags: CONFIG_FLAGS,
  examples: [
    ['psp config', 'Show each value with its origin: option, environment, psp.config.json, sandbox or default'],
    ['psp config --json', 'Print the configuration as one document'],
    ['psp config --env > .env', 'Save the URL, key and secrets for your application'],
  ],
})
