import { expect, test } from 'vitest'
import { inLanguage } from '../../src/cli/process/browser.ts'
import { psp } from './helpers.ts'

const PAGE = 'http://127.0.0.1:7770/pay/00000000-0000-4000-8000-000000000000'

test('the page is asked for in the language of --lang, and in none without it', () => {
  expect(inLanguage(PAGE, 'ru')).toBe(`${PAGE}?lang=ru`)
  expect(inLanguage(PAGE, undefined)).toBe(PAGE)
})

test.each([
  ['payments create --amount 100 --lang ru', '--open'],
  ['payments create --amount 100 --open --lang fr', '"fr"'],
  ['payments open ID --lang fr', '"fr"'],
  ['payments get ID --lang ru', '--lang'],
])('psp %s is wrong usage', async (line, said) => {
  const { code, stderr } = await psp(line.split(' '))
  expect(code).toBe(2)
  expect(stderr).toContain(said)
})
