// Counts differences by kind, operation and field, and keeps a bounded number of examples of each.
import { DIFFERENCE_KINDS, type Difference, type DifferenceGroup, groupKey } from './difference.ts'

/** The maximum number of examples that a group keeps for each payment method. */
const MOST_EXAMPLES = 100

interface Counted {
  readonly examples: Difference[]
  /** The number of kept examples, by payment method. Lifetimes differ by method, so each method needs examples. */
  readonly keptByMethod: Map<unknown, number>
  count: number
}

export class DifferenceTally {
  readonly #groups = new Map<string, Counted>()
  /** The number of all differences. */
  size = 0

  add(difference: Difference): void {
    this.size++
    const key = groupKey(difference)
    const group: Counted = this.#groups.get(key) ?? { examples: [], keptByMethod: new Map(), count: 0 }
    this.#groups.set(key, group)
    group.count++
    const method = difference.detail?.['method']
    const kept = group.keptByMethod.get(method) ?? 0
    if (kept >= MOST_EXAMPLES) return
    group.keptByMethod.set(method, kept + 1)
    group.examples.push(difference)
  }

  get examples(): readonly Difference[] {
    return [...this.#groups.values()].flatMap(({ examples }) => examples)
  }

  /** The groups in the order of the kinds, each with its first difference as the example. */
  get groups(): readonly DifferenceGroup[] {
    const order = Object.keys(DIFFERENCE_KINDS)
    return [...this.#groups.values()]
      .map(({ examples, count }) => ({ ...(examples[0] as Difference), count }))
      .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  }

  /** The groups that the other tally does not have. */
  groupsMissingIn(other: DifferenceTally): readonly DifferenceGroup[] {
    return this.groups.filter((group) => !other.#groups.has(groupKey(group)))
  }

  /** The number of responses whose status differs. */
  get statusDifferences(): number {
    return this.groups.reduce((sum, { kind, count }) => (kind === 'status' ? sum + count : sum), 0)
  }
}
