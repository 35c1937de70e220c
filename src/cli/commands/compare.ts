import { command } from '../command.ts'
import { list, required, toggle, value } from '../parsing/flags.ts'
import { nonEmpty, settingPair } from '../parsing/parse.ts'

export const COMPARE_ARGUMENTS = { file: required('a HAR file, for example from psp record; - for stdin') }

export const COMPARE_FLAGS = {
  apply: toggle('--apply', 'write the settings that remove differences to psp.config.json'),
  junit: value('--junit <file>', 'also write a JUnit report', nonEmpty),
  settings: list('--set <name=value>', 'set a setting; psp settings lists them (PSP_SET_<NAME>)', settingPair),
  force: toggle('--force', 'replace a report that already exists'),
}

export const compare = command({
  description: 'Replay a recording against a fresh sandbox, and report the differences.',
  survivesClosedStdout: true,
  args: COMPARE_ARGUMENTS,
  flags: COMPARE_FLAGS,
  examples: [
    ['psp compare session.har', 'Show the differences; the exit code is 8 if there are any'],
    ['psp compare session.har --apply', 'Also write the settings that remove differences'],
    ['psp compare session.har --json --junit compare.xml', 'Write reports for CI'],
  ],
  notes: [
    'Values are compared only if the request or the specification determines them. For other values, such as generated ids, only types and formats are compared. The buyer and the bank act as in the recording.',
    'The sandbox has the settings of psp.config.json, of the environment and of --set. It sends no webhooks.',
    'With --apply, the exit code is 0 if no difference remains after the settings are applied.',
  ],
})
