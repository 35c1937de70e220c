// The signature of a run. A run with a new signature shows behaviour that no earlier run has shown.
import type { Meanings } from './learn-meanings.ts'
import { fieldIdOf, showLeaf } from './order-fields.ts'
import { allowedStates } from './story-event.ts'
import { eventsAbout, fieldsIn, type StoryRun } from './story-run.ts'

/** Returns, for each round, the response statuses by kind of event, and the probed states with the states that are correct. */
export function signatureOf(storyRun: StoryRun, meanings: Meanings): string {
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
