import { command, type Group } from '../../command.ts'
import { EXPORT_FLAGS, FILE, NAME, RESET_FLAGS } from './flags.ts'

export const store: Group = {
  name: 'store',
  about: 'Reset, save and move the data of the sandbox.',
  commands: [
    command({
      name: 'reset',
      about:
        'Clear payments, events, rules and faults, and apply the seed again; shops, keys, endpoints and settings stay.',
      flags: RESET_FLAGS,
      examples: [
        ['psp store reset', 'between two tests; also clears rules and faults'],
        ['psp store reset --all', 'also restore the initial shops, settings and clock'],
      ],
      supportsDryRun: true,
      load: () => import('./reset.ts'),
    }),
    command({
      name: 'snapshots',
      about: 'List the snapshots.',
      examples: [['psp store snapshots', 'sorted by name']],
      load: () => import('./snapshots.ts'),
    }),
    command({
      name: 'snapshot',
      about: 'Take a snapshot. An existing one with this name is replaced.',
      args: NAME,
      examples: [['psp store snapshot before-refunds', 'to restore later']],
      supportsDryRun: true,
      load: () => import('./snapshot.ts'),
    }),
    command({
      name: 'restore',
      about: 'Restore a snapshot, including the clock.',
      args: NAME,
      examples: [['psp store restore before-refunds', 'repeatable']],
      supportsDryRun: true,
      load: () => import('./restore.ts'),
    }),
    command({
      name: 'forget',
      about: 'Delete a snapshot.',
      args: NAME,
      examples: [['psp store forget before-refunds', 'removes its file']],
      supportsDryRun: true,
      load: () => import('./forget.ts'),
    }),
    command({
      name: 'export',
      about: 'Write the whole state to a file, including secrets.',
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
      about: 'Replace the whole state with that of a file.',
      args: FILE,
      examples: [['psp store import state.json', 'validated before anything changes']],
      supportsDryRun: true,
      load: () => import('./import.ts'),
    }),
  ],
}
