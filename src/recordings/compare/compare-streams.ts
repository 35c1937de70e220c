// Compares the messages of an event stream for each object, because messages about different objects have no order.
import { groupBy } from '../../domain/group-by.ts'
import { compareJson, NO_TOLERANCE } from './compare-json.ts'
import type { Difference } from './difference.ts'
import type { ObservedMessage } from './stream-messages.ts'

export interface StreamComparison {
  readonly entry: number
  readonly recorded: readonly ObservedMessage[]
  readonly sandbox: readonly ObservedMessage[]
  /** Returns the id in the sandbox, given the id in the recording. */
  readonly mapId: (id: string) => string | undefined
  /** Returns whether the recording may lack the message because its stream was not open at that moment. */
  readonly isAtEdge: (message: ObservedMessage) => boolean
}

const OPERATION = 'GET /v1/public/events'

export function compareStreams(comparison: StreamComparison): Difference[] {
  const { recorded, sandbox, mapId } = comparison
  const groups = groupBy(sandbox, ({ group }) => group)
  const found: Difference[] = []
  for (const [id, recordedMessages] of groupBy(recorded, ({ group }) => group)) {
    const sandboxId = mapId(id)
    // The sandbox has no counterpart of the object, because no replayed response showed it.
    if (sandboxId === undefined) continue
    const sandboxMessages = groups.get(sandboxId) ?? []
    groups.delete(sandboxId)
    found.push(...compareGroup(comparison, recordedMessages, sandboxMessages))
  }
  for (const messages of groups.values()) found.push(...compareGroup(comparison, [], messages))
  return found
}

function compareGroup(
  { entry, mapId, isAtEdge }: StreamComparison,
  recordedMessages: readonly ObservedMessage[],
  sandboxMessages: readonly ObservedMessage[],
): Difference[] {
  const found: Difference[] = []
  const left = [...sandboxMessages]
  const pairs = recordedMessages.flatMap((message) => {
    const sandboxId = mapId(message.id)
    const at = left.findIndex(
      ({ label, id }) => label === message.label && (sandboxId === undefined || sandboxId === id),
    )
    if (at >= 0) return [[message, left.splice(at, 1)[0] as ObservedMessage] as const]
    found.push({ ...base(entry, message), kind: 'missing', recorded: message.label, sandbox: 'no message' })
    return []
  })
  for (const message of left) {
    if (!isAtEdge(message)) {
      found.push({ ...base(entry, message), kind: 'added', recorded: 'no message', sandbox: message.label })
    }
  }
  const order = pairs.map(([, message]) => sandboxMessages.indexOf(message))
  const moved = order.findIndex((position, at) => at > 0 && position < (order[at - 1] as number))
  if (moved > 0) {
    const labels = (messages: readonly ObservedMessage[]) => messages.map(({ label }) => label).join(', ')
    const [earlier, later] = [pairs[moved - 1], pairs[moved]] as [(typeof pairs)[0], (typeof pairs)[0]]
    found.push({
      kind: 'order',
      operation: OPERATION,
      at: `${earlier[0].kind} before ${later[0].kind}`,
      recorded: labels(pairs.map(([message]) => message)),
      sandbox: labels(sandboxMessages),
      entry,
    })
  }
  return [...found, ...pairs.flatMap(([before, after]) => compareMessage(entry, before, after))]
}

function compareMessage(entry: number, recorded: ObservedMessage, sandbox: ObservedMessage): Difference[] {
  const operation = `${OPERATION} ${recorded.kind}`
  const found = compareJson(recorded.data, sandbox.data, {
    operation,
    entry,
    sessionOpeningTolerance: () => NO_TOLERANCE,
  })
  const [before, after] = [recorded.fields.join(' '), sandbox.fields.join(' ')]
  if (before === after) return found
  return [...found, { kind: 'format', operation, at: 'lines of the message', recorded: before, sandbox: after, entry }]
}

function base(entry: number, message: ObservedMessage) {
  return { operation: OPERATION, at: `message ${message.kind}`, entry }
}
