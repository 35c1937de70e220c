// Docstrings name only what exists: the targets of their links, and their parameters.
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { type Source, sources } from './source.ts'

/** Characters after a docstring that contain the parameters of its function. */
const SIGNATURE = 1000

function falseReferences({ path, text }: Source): string[] {
  const docstrings = parseSync(path, text).comments.filter(({ value }) => value.startsWith('*'))
  const code = docstrings.reduce((rest, { start, end }) => rest.fill(' ', start, end), [...text]).join('')
  const has = (part: string, name: string) => new RegExp(`\\b${name}\\b`).test(part)
  return docstrings.flatMap(({ value, end }) => [
    ...[...value.matchAll(/\{@link (\w+)/g)]
      .filter(([, name = '']) => name !== 'file' && !has(code, name))
      .map(([, name]) => `${path}: nothing is called ${name}`),
    ...[...value.matchAll(/\{@link file:\/\/([^}]+)\}/g)]
      .filter(([, file = '']) => !existsSync(posix.join(posix.dirname(path), file)))
      .map(([, file]) => `${path}: there is no file ${file}`),
    ...[...value.matchAll(/@param (?:\{[^}]*\} )?(\w+)/g)]
      .filter(([, name = '']) => !has(code.slice(end, end + SIGNATURE), name))
      .map(([, name]) => `${path}: no parameter is called ${name}`),
  ])
}

test('docstrings refer only to names of their file, to files and to parameters that exist', () => {
  expect(sources('src').flatMap(falseReferences)).toEqual([])
})
