// Collects the licence texts of bundled packages, because most licences require a copy with the code.
import { readdirSync, readFileSync } from 'node:fs'

/** @param {readonly string[]} inputs the paths of all bundled files, relative to the root of the project */
export function collectLicences(inputs) {
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined))
  return [...folders]
    .sort()
    .map(formatLicence)
    .join(`\n${'-'.repeat(80)}\n\n`)
}

function packageFolder(input) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
}

function formatLicence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  const text = file === undefined ? '' : `\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`
  return `${name} ${version} (${license})\n${text}`
}
