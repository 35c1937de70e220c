import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { anchor } from './markdown.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const DOCUMENTS = [
  'README.md',
  ...readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** The text of a document without its code. */
const proseOf = (path: string) => readFileSync(ROOT + path, 'utf8').replace(/```.*?```|`[^`\n]*`(?!\]\()/gs, '')

function anchorsOf(path: string): string[] {
  const text = readFileSync(ROOT + path, 'utf8').replace(/```.*?```/gs, '')
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    anchor(title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')),
  )
}

function brokenLinks(path: string): string[] {
  const links = [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links.filter((link) => {
    if (/^https?:/.test(link)) return false
    const [file = '', title] = link.split('#')
    const target = file === '' ? path : posix.join(posix.dirname(path), file)
    if (!existsSync(ROOT + target)) return true
    return title !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(`#${title}`)
  })
}

test.each(DOCUMENTS)('every link in %s points to an existing file and section', (path) => {
  expect(brokenLinks(path)).toEqual([])
})
