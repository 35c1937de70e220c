// The licence texts of the packages whose code is in the bundle: most of them ask to be passed on with it.
import { readdirSync, readFileSync } from 'node:fs'

/** @param {readonly string[]} inputs the paths of all bundled files, from the root of the project */
export function licences(inputs) {
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined))
  return [...folders]
    .sort()
    .map(entry)
    .join(`\n${'-'.repeat(80)}\n\n`)
}

function packageFolder(input) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
}

function entry(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  const text = file === undefined ? '' : `\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`
  return `${name} ${version} (${license})\n${text}`
}
