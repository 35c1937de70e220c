// The cases that showed new behaviour. Most later cases are one of these with another schedule.
import type { Randomness } from '../engine/ports.ts'
import { seededRandomness } from '../random.ts'
import { drawItem } from './draw.ts'
import type { Case, Evaluation } from './evaluate-case.ts'
import type { Meanings } from './learn-meanings.ts'
import { mutateSchedule } from './mutate-schedule.ts'
import { signatureOf } from './run-signature.ts'
import { inOrderSchedule } from './schedule.ts'
import { eventKeyOf, type Story } from './story.ts'
import type { StoryRun } from './story-run.ts'
import { legalStory, walkStory } from './walk-story.ts'

/** Share of cases that have the story of a kept case, once there is one. */
const KEPT_SHARE = 0.7
const MAX_KEPT = 200

export interface DrawnCase {
  readonly given: Case
  /** The in-order run of the kept case. */
  readonly known?: StoryRun
}

export interface Corpus {
  /** Returns a new story, or a kept case with another schedule. */
  next(): DrawnCase
  /** Keeps the case if its behaviour is new. */
  add(evaluation: Evaluation, meanings: Meanings): void
}

/** Share of the remaining cases that have the story of `firstCase`. */
const FIRST_STORY_SHARE = 0.5

export interface CorpusOptions {
  /** The amount of every payment; drawn by default. */
  readonly amount?: number | undefined
  /** The first case. Some later cases have its story with another schedule. */
  readonly firstCase?: Case | undefined
}

export function createCorpus(random: Randomness, { amount, firstCase }: CorpusOptions = {}): Corpus {
  const kept: { readonly given: Case; readonly inOrder: StoryRun }[] = []
  const signatures = new Set<string>()
  const amounts: Story['amounts'] | undefined = amount === undefined ? undefined : { main: amount, control: amount }
  let isFirst = true
  return {
    next(): DrawnCase {
      if (firstCase !== undefined && isFirst) {
        isFirst = false
        return { given: firstCase }
      }
      if (kept.length > 0 && random.draw() < KEPT_SHARE) {
        const { given, inOrder } = drawItem(random, kept)
        return { given: { ...given, schedule: mutateSchedule(given.schedule, random) }, known: inOrder }
      }
      if (firstCase !== undefined && random.draw() < FIRST_STORY_SHARE) {
        return { given: { ...firstCase, schedule: mutateSchedule(firstCase.schedule, random) } }
      }
      const story = legalStory(walkStory(random, amounts), seededRandomness('legal'))
      const keys = story.steps.flatMap((step) =>
        step.do === 'create' || step.do === 'settle' ? [] : [eventKeyOf(step)],
      )
      return {
        given: { story, schedule: mutateSchedule(inOrderSchedule(keys), random), resendsAll: random.draw() < 0.5 },
      }
    },
    add({ case: given, inOrder, scheduled }: Evaluation, meanings: Meanings): void {
      if (scheduled === undefined || inOrder === undefined) return
      const signature = signatureOf(scheduled, meanings)
      if (signatures.has(signature)) return
      signatures.add(signature)
      kept.push({ given: { ...given, resendsAll: false }, inOrder })
      if (kept.length > MAX_KEPT) kept.shift()
    },
  }
}
