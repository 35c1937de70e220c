// The cases that showed new behaviour. Most later cases are one of these with another schedule.
import type { Randomness } from '../engine/ports.ts'
import { drawItem } from './draw.ts'
import type { Case, Evaluation } from './evaluate-case.ts'
import type { Meanings } from './learn-meanings.ts'
import { mutateSchedule } from './mutate-schedule.ts'
import { fieldIdOf, showLeaf } from './order-fields.ts'
import { inOrderSchedule } from './schedule.ts'
import type { Story } from './story.ts'
import { allowedStates } from './story-event.ts'
import { eventsAbout, fieldsIn, type StoryRun } from './story-run.ts'
import { legalize, walkStory } from './walk-story.ts'

/** Share of cases that have the story of a kept case, once there is one. */
const KEPT_SHARE = 0.7
const MAX_KEPT = 200

export interface DrawnCase {
  readonly given: Case
  /** The in-order run of the story, if the story is that of a kept case. */
  readonly known?: StoryRun
}

export interface Corpus {
  /** Returns `firstCase` once. Each later case has a new story, that of a kept case, or that of `firstCase`. */
  next(): DrawnCase
  /** Keeps the case if its behaviour is new. */
  add(evaluation: Evaluation, meanings: Meanings): void
}

/** Share of `firstCase` in the cases that do not have the story of a kept case. */
const FIRST_STORY_SHARE = 0.5
/** Share of cases with a new story that send all events again at the end. */
const RESEND_SHARE = 0.5

export interface CorpusOptions {
  /** The amount of every payment; drawn by default. */
  readonly amount?: number | undefined
  /** The first case. Some later cases have its story with another schedule. */
  readonly firstCase?: Case | undefined
}

export function createCorpus(random: Randomness, { amount, firstCase }: CorpusOptions = {}): Corpus {
  const kept: { readonly given: Case; readonly inOrder: StoryRun }[] = []
  const behaviours = new Set<string>()
  const amounts: Story['amounts'] | undefined = amount === undefined ? undefined : { main: amount, unrelated: amount }
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
      const { story, events } = legalize(walkStory(random, amounts))
      const schedule = mutateSchedule(inOrderSchedule(events), random)
      return { given: { story, schedule, resendsAll: random.draw() < RESEND_SHARE } }
    },
    add({ case: given, inOrder, scheduled }: Evaluation, meanings: Meanings): void {
      if (scheduled === undefined || inOrder === undefined) return
      const behaviour = behaviourOf(scheduled, meanings)
      if (behaviours.has(behaviour)) return
      behaviours.add(behaviour)
      kept.push({ given: { ...given, resendsAll: false }, inOrder })
      if (kept.length > MAX_KEPT) kept.shift()
    },
  }
}

/**
 * Describes the behaviour of the handler in a run. For each round, the text contains the response statuses by kind of
 * event, and the probed states with the states that are correct.
 */
function behaviourOf(storyRun: StoryRun, meanings: Meanings): string {
  const { enacted, result } = storyRun
  const kindOf = new Map(enacted.events.map(({ key, name }) => [key, name]))
  const parts = result.rounds.map(({ messages, readings, accepted }) => {
    const responses = messages.map(({ event, response }) => `${kindOf.get(event)} ${response.status ?? response.code}`)
    const states = readings.map((reading) => {
      const fields = fieldsIn(reading, storyRun, meanings)
      const known = [...fields].filter(([path]) => meanings.states.has(fieldIdOf(reading.probe, path)))
      const model = allowedStates(eventsAbout(reading, accepted)).join('/')
      return `${reading.order} ${model}: ${known.map(([, leaf]) => showLeaf(leaf)).join(' ')}`
    })
    return [...responses.sort(), ...states.sort()].join('; ')
  })
  return parts.join(' | ')
}
