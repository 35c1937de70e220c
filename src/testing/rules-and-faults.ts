// The rules and faults of one shop. For those of other shops, `list` omits them, `remove` rejects, `clear` keeps them.
import { faultBody, ruleBody, type SimulatorOperations } from '../client/control-simulator.ts'
import type { FaultBody, FaultView, Page, PageQuery, RuleBody, RuleView } from '../client/control-types.ts'
import { paginate } from '../client/paginate.ts'
import { requireOwn } from './require-own.ts'

/** A list of rules or faults, with the counts of their matches and applications. */
export interface CountedList<Body, View> {
  /** Returns the newest first, which is the order in which they are tried. */
  list(): Promise<readonly View[]>
  /** Adds a rule or fault for this shop only. */
  add(body: Body): Promise<View>
  /** @throws ApiError `not_found` if the id is not one of `list()` */
  remove(id: string): Promise<void>
  clear(): Promise<void>
}

/** Rules that decide what the simulator does with this shop's payments, refunds and payouts. */
export type Rules = CountedList<RuleBody, RuleView>
/** Faults between this shop and the service. */
export type Faults = CountedList<FaultBody, FaultView>

interface Matching {
  readonly id: string
  readonly match?: { readonly [field: string]: string | number } | undefined
}

export function rulesOf({ rules }: SimulatorOperations, shopId: string): Rules {
  return countedOf('rules', rules, shopId, (args) => ruleBody('rules.add', args))
}

export function faultsOf({ faults }: SimulatorOperations, shopId: string): Faults {
  return countedOf('faults', faults, shopId, (args) => faultBody('faults.add', args))
}

function countedOf<Body extends Omit<Matching, 'id'>, View extends Matching>(
  name: 'rules' | 'faults',
  all: {
    list(query: PageQuery): Promise<Page<View>>
    add(body: Body): Promise<View>
    remove(id: string): Promise<void>
  },
  shopId: string,
  bodyOf: (args: readonly unknown[]) => Body,
): CountedList<Body, View> {
  async function list(): Promise<readonly View[]> {
    return (await paginate(all.list)).filter(({ match }) => match?.['shop_id'] === shopId)
  }
  return {
    list,
    add(...args) {
      const body = bodyOf(args)
      return all.add({ ...body, match: { ...body.match, shop_id: shopId } })
    },
    async remove(id) {
      await requireOwn(name, list, id)
      await all.remove(id)
    },
    async clear() {
      for (const { id } of await list()) await all.remove(id)
    },
  }
}
