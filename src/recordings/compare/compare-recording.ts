// Compares a recording with the sandbox, and finds the settings that make the sandbox agree.
import { omitUndefined } from '../../domain/omit-undefined.ts'
import type { SystemClock } from '../../system-clock/system-clock.ts'
import type { Masking } from '../masking.ts'
import { type DifferenceGroup, groupKey } from './difference.ts'
import type { DifferenceTally } from './difference-tally.ts'
import { prepareReplay } from './prepare-replay.ts'
import type { RecordedCall } from './recorded-call.ts'
import { replay, type StartSandbox } from './replay.ts'
import type { ReplayResults } from './replay-results.ts'
import { SETTING_RULES } from './setting-rules.ts'

type Settings = { readonly [name: string]: unknown }

export interface CompareOptions {
  readonly calls: readonly RecordedCall[]
  /** The settings of the sandbox, as in `psp.config.json`. */
  readonly settings: Settings
  /** Looks for settings that remove differences. Each candidate value needs another replay. True by default. */
  readonly findsSettings?: boolean
  readonly start: StartSandbox
  readonly systemClock: SystemClock
  readonly signal?: AbortSignal | undefined
  /** Replaces secrets and personal data in the values of the report. */
  readonly mask: Pick<Masking, 'text' | 'header' | 'json'>
  /**
   * Called at each step of each replay.
   * @param about the setting that the replay tries
   * @param part the part of the replay that is done, from 0 to less than 1
   */
  readonly onProgress?: (about: string | undefined, part: number) => void
}

/** A setting that removes differences. A replay has confirmed it, see {@link isBetter}. */
export interface Proposal {
  readonly setting: string
  readonly value: unknown
  /** The number of differences in the groups that disappear completely with the setting. */
  readonly removes: number
}

export interface ReportedDifference extends Omit<DifferenceGroup, 'cause' | 'detail'> {
  /** The proposed setting that removes the difference. */
  readonly setting?: string
}

export interface CompareReport {
  readonly compared: number
  /** Compared exchanges whose response body the recording does not contain, so only status and headers are compared. */
  readonly without_body: number
  /** The operations of the compared exchanges. */
  readonly operations: readonly string[]
  readonly skipped: readonly { readonly reason: string; readonly count: number }[]
  readonly differences: readonly ReportedDifference[]
  readonly proposals: readonly Proposal[]
  /** The number of groups of differences (see `groupKey`) that remain with all proposed settings. */
  readonly remaining: number
}

export async function compareRecording(options: CompareOptions): Promise<CompareReport> {
  const { calls, settings, mask, onProgress } = options
  const prepared = prepareReplay(calls)
  const run = (tried: Settings, about?: string): Promise<ReplayResults> =>
    replay({
      ...options,
      prepared,
      settings: { ...settings, ...tried },
      onProgress: (part) => onProgress?.(about, part),
    })
  const first = await run({})
  let current = first.differences
  let chosen: Settings = {}
  const proposals: Proposal[] = []
  const settingOf = new Map<string, string>()
  for (const { setting, values } of options.findsSettings === false ? [] : SETTING_RULES) {
    let best: { readonly value: unknown; readonly differences: DifferenceTally } | undefined
    for (const value of new Set(values(current.examples, prepared))) {
      if (value === settings[setting]) continue
      const { differences } = await run({ ...chosen, [setting]: value }, setting)
      if (isBetter(differences, best?.differences ?? current)) best = { value, differences }
      // No other value can remove more.
      if (best !== undefined && values(best.differences.examples, prepared).length === 0) break
    }
    if (best === undefined) continue
    const gone = current.groupsMissingIn(best.differences)
    for (const group of gone) settingOf.set(groupKey(group), setting)
    proposals.push({ setting, value: best.value, removes: gone.reduce((sum, { count }) => sum + count, 0) })
    chosen = { ...chosen, [setting]: best.value }
    current = best.differences
  }
  return {
    compared: first.compared,
    without_body: first.withoutBody,
    operations: [...first.operations],
    skipped: [...first.skipped].map(([reason, count]) => ({ reason, count })),
    differences: first.differences.groups.map((group) => ({
      ...maskedGroup(group, mask),
      ...omitUndefined({ setting: settingOf.get(groupKey(group)) }),
    })),
    proposals,
    remaining: current.groups.length,
  }
}

/** Masks and shortens the texts of a group. */
function maskedGroup({ cause: _, detail: __, ...group }: DifferenceGroup, mask: CompareOptions['mask']) {
  const { kind, operation, at, recorded, sandbox } = group
  // A value is masked before it is shortened, because a part of a card number would not be found.
  const text = (value: string) => shortened(mask.text(value))
  const value = (given: string) =>
    kind === 'header' && given !== 'absent' ? shortened(mask.header(at, given)) : text(given)
  return {
    ...group,
    operation: text(operation),
    at: text(kind === 'header' || MESSAGE.test(at) ? at : fieldName(at, mask)),
    recorded: value(recorded),
    sandbox: value(sandbox),
  }
}

/** The places of differences in event streams, which are not fields. */
const MESSAGE = /^(?:message |lines of the message$)|^\S+ before \S+$/

/** Masks the keys in the path of a field. */
function fieldName(at: string, mask: Pick<Masking, 'json'>): string {
  const masked = (key: string) => Object.keys(JSON.parse(mask.json(JSON.stringify({ [key]: null }))))[0] ?? key
  return at
    .split('.')
    .map((part) => part.replace(/^.*?(?=(?:\[\])*$)/s, masked))
    .join('.')
}

/** Maximum number of characters of a value in the report. */
const LONGEST = 100

function shortened(text: string): string {
  const characters = [...text]
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`
}

/**
 * Returns whether fewer calls differ in status or, if their number is equal, there are fewer differences and no new
 * one. With fewer wrong statuses, new differences are allowed, because only bodies with equal statuses are compared.
 */
function isBetter(after: DifferenceTally, before: DifferenceTally): boolean {
  if (after.statusDifferences !== before.statusDifferences) return after.statusDifferences < before.statusDifferences
  return after.size < before.size && after.groupsMissingIn(before).length === 0
}
