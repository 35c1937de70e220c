import { command, type Group } from '../../command.ts'
import { EXPORT_FLAGS, FILE, NAME, RESET_FLAGS } from './flags.ts'

export const store: Group = {
  name: 'store',
  about: 'Clear, keep and move the data of the sandbox.',
  commands: [
    command({
      name: 'reset',
      about:
        'Clear payments, events, rules and faults, and apply the seed again; shops, keys, endpoints and settings stay.',
      flags: RESET_FLAGS,
      examples: [
        ['psp store reset', 'between two tests; rules and faults go, too'],
        ['psp store reset --all', 'also shops, settings and clock, as the seed makes them'],
      ],
      supportsDryRun: true,
      load: () => import('./reset.ts'),
    }),
    command({
      name: 'snapshots',
      about: 'List the snapshots.',
      examples: [['psp store snapshots', 'by name']],
      load: () => import('./snapshots.ts'),
    }),
    command({
      name: 'snapshot',
      about: 'Take a snapshot; one of this name is replaced.',
      args: NAME,
      examples: [['psp store snapshot before-refunds', 'to come back to']],
      supportsDryRun: true,
      load: () => import('./snapshot.ts'),
    }),
    command({
      name: 'restore',
      about: 'Go back to a snapshot, clock included.',
      args: NAME,
      examples: [['psp store restore before-refunds', 'as often as you like']],
      supportsDryRun: true,
      load: () => import('./restore.ts'),
    }),
    command({
      name: 'forget',
      about: 'Forget a snapshot.',
      args: NAME,
      examples: [['psp store forget before-refunds', 'its file is removed']],
      supportsDryRun: true,
      load: () => import('./forget.ts'),
    }),
    command({
      name: 'export',
      about: 'Write the whole state to a file, secrets included.',
      args: FILE,
      flags: EXPORT_FLAGS,
      examples: [
        ['psp store export state.json', 'for a colleague, or another machine'],
        ['psp store export state.json --force', 'replaces the file'],
      ],
      load: () => import('./export.ts'),
    }),
    command({
      name: 'import',
      about: 'Replace the whole state by that of a file.',
      args: FILE,
      examples: [['psp store import state.json', 'checked whole before anything changes']],
      supportsDryRun: true,
      load: () => import('./import.ts'),
    }),
  ],
}
