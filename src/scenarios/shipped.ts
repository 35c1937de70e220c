// The scenarios that come with the package.
import { readdirSync, readFileSync } from 'node:fs'
import { readScenario, type Scenario } from './scenario.ts'

const FOLDER = new URL('../../fixtures/scenarios/', import.meta.url)

/** Names without `.json`, sorted. */
export function shippedScenarios(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort()
}

/** `undefined` where none is called so. */
export function shippedScenario(name: string): Scenario | undefined {
  if (!shippedScenarios().includes(name)) return undefined
  return readScenario(JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')))
}
