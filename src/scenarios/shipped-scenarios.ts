// The scenarios that are included in the package.
import { listPackageFolder, readPackageFile } from '../package-files/package-files.ts'
import { parseScenario, type Scenario } from './scenario.ts'

const FOLDER = new URL('../../fixtures/scenarios/', import.meta.url)

/** Returns the names without `.json`, sorted. */
export function listShippedScenarios(): string[] {
  return listPackageFolder(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort()
}

export function findShippedScenario(name: string): Scenario | undefined {
  if (!listShippedScenarios().includes(name)) return undefined
  return parseScenario(JSON.parse(readPackageFile(new URL(`${name}.json`, FOLDER)).toString()))
}
