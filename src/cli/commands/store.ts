import { command, group } from '../command.ts'
import { FORCE } from '../parsing/common-flags.ts'
import { required, toggle } from '../parsing/flags.ts'

export const NAME = { name: required('name of the snapshot: a-z, 0-9, dot, dash, underscore') }
export const EXPORT_FILE = { file: required('file to write; - for stdout') }
export const IMPORT_FILE = { file: required('file to read; - for stdin') }
export const EXPORT_FLAGS = FORCE
export const RESET_FLAGS = { all: toggle('--all', 'also reset shops, credentials, settings and the clock') }

export const store = group({
  description: "Reset, save and move the sandbox's data.",
  commands: {
    reset: command({
      description: 'Delete payments, payouts, events, rules and faults, and apply the seed again.',
      notes: [
        'Shops, keys, endpoints and settings are kept, unless `--all` is given.',
        'The space on the disk is freed later, when the journal is moved to the pages. If the disk is full, delete other files first.',
      ],
      flags: RESET_FLAGS,
      examples: [
        ['psp store reset', 'Reset between two tests'],
        ['psp store reset --all', 'Reset everything, credentials and the clock included'],
      ],
      supportsDryRun: true,
    }),
    snapshots: command({
      description: 'List the snapshots.',
      examples: [['psp store snapshots', 'Show all snapshots, sorted by name']],
    }),
    snapshot: command({
      description: 'Take a snapshot; an existing one with this name is replaced.',
      args: NAME,
      examples: [['psp store snapshot before-refunds', 'Save the state to restore it later']],
      supportsDryRun: true,
    }),
    restore: command({
      description: 'Restore a snapshot, including the clock, and clear the request log.',
      args: NAME,
      examples: [['psp store restore before-refunds', 'Restore a snapshot, as often as needed']],
      supportsDryRun: true,
    }),
    forget: command({
      description: 'Delete a snapshot.',
      args: NAME,
      examples: [['psp store forget before-refunds', 'Delete a snapshot and its file']],
      supportsDryRun: true,
    }),
    export: command({
      description: 'Write the whole state to a file, including secrets.',
      args: EXPORT_FILE,
      flags: EXPORT_FLAGS,
      examples: [
        ['psp store export state.json', 'Save the state for a colleague or another machine'],
        ['psp store export state.json --force', 'Replace an existing file'],
      ],
    }),
    import: command({
      description: 'Replace the whole state with the state in a file.',
      notes: ['The file may have up to 16 GiB.'],
      args: IMPORT_FILE,
      examples: [['psp store import state.json', 'Validate the whole file, then replace the state']],
      supportsDryRun: true,
    }),
  },
})
