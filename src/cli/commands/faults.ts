import { exampleOf } from '../../domain/fault-syntax.ts'
import { FAULT_FIELDS, FAULT_TARGETS, type FaultTarget } from '../../domain/faults.ts'
import { ID_EXAMPLES } from '../../domain/id-examples.ts'
import { command, group } from '../command.ts'
import { fieldsText, matchFlags, PAGE_FLAGS } from '../parsing/common-flags.ts'
import { required, value } from '../parsing/flags.ts'
import { probability } from '../parsing/parse.ts'

const TARGETS = Object.keys(FAULT_TARGETS) as FaultTarget[]

const examplesOf = (target: FaultTarget) => FAULT_TARGETS[target].map((name) => exampleOf(target, name))

const FAULTS_BY_TARGET = TARGETS.map((target) => `${target}: ${examplesOf(target).join(', ')}`).join('; ')

/** Faults of all targets, because completion does not know the previous argument. */
const ALL_FAULTS = [...new Set(TARGETS.flatMap(examplesOf))]

const FAULT_ID = { id: required(`fault id, ${ID_EXAMPLES.fault}`) }
export const ADD_ARGUMENTS = {
  target: required(TARGETS.join(', '), TARGETS),
  fault: required(`name of the fault, with its value. ${FAULTS_BY_TARGET}`, ALL_FAULTS),
}
const ADD_NOTES = [
  '`hold` holds a webhook until the fault is removed. `before_response` sends it before the response of the API. docs/reference/faults.md explains every fault.',
  ...TARGETS.map((target) => `Fields of --match, ${target}: ${fieldsText(FAULT_FIELDS[target])}.`),
]
export const ADD_FLAGS = {
  ...matchFlags(TARGETS.flatMap((target) => FAULT_FIELDS[target])),
  probability: value(
    '--probability <p>',
    'probability from 0 to 1; serve --random-seed makes the choices reproducible',
    probability,
  ),
}

export const faults = group({
  description: 'Inject transport faults, always or a limited number of times.',
  commands: {
    add: command({
      description: 'Add a fault to the API, the webhooks, the stream or the return to the shop.',
      args: ADD_ARGUMENTS,
      flags: ADD_FLAGS,
      examples: [
        [
          'psp faults add webhook duplicate:1 --match event=payment.succeeded --times 1',
          'Send one additional copy of the event',
        ],
        ['psp faults add api status:503 --times 2', 'Respond with 503 twice'],
        [
          'psp faults add api latency:2s --match order_id=A-1',
          'Delay each request about order A-1, which need not exist yet',
        ],
        ['psp faults add api cut --times 1', 'Process the next request, but lose the response'],
        ['psp faults add api late_response:30s --times 1', 'Process the next request, but respond 30 seconds later'],
      ],
      notes: ADD_NOTES,
      supportsDryRun: true,
    }),
    list: command({
      description: 'List the faults, newest first.',
      flags: PAGE_FLAGS,
      examples: [['psp faults list', 'Show how many times each fault was applied']],
    }),
    remove: command({
      description: 'Remove a fault; attempts that it deferred continue.',
      args: FAULT_ID,
      examples: [['psp faults remove flt_…', 'Remove one fault']],
      supportsDryRun: true,
    }),
    clear: command({
      description: 'Remove all faults; attempts that they deferred continue.',
      examples: [['psp faults clear', 'Remove all faults']],
      supportsDryRun: true,
    }),
  },
})
