import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { editText } from '../../../src/cli/process/editor.ts'
import { createTestDir } from '../helpers.ts'

const never = new AbortController().signal
const draft = { name: 'payment.succeeded.json', text: '{"amount": 1}\n' }
const edit = (env: Record<string, string>, signal = never) =>
  editText(draft, { env: { PATH: process.env['PATH'], ...env }, paths: path }, signal)

test('the program of VISUAL, or else of EDITOR, edits the text with its arguments', async () => {
  const sed = 'sed -i -e s/1/2/'
  expect(await edit({ VISUAL: sed, EDITOR: 'false' })).toBe('{"amount": 2}\n')
  expect(await edit({ VISUAL: '', EDITOR: sed })).toBe('{"amount": 2}\n')
})

test('the file is readable by its owner only, has the given name, and is removed', async () => {
  const folder = createTestDir()
  const report = path.join(folder.path, 'report')
  await edit({ EDITOR: `stat -c '%a %n' >'${report}'` })
  const [mode, file = ''] = readFileSync(report, 'utf8').trim().split(' ')
  expect([mode, path.basename(file), existsSync(path.dirname(file))]).toEqual(['600', draft.name, false])
  folder.remove()
})

test.each([
  ['false', 'The editor `false` ended with 1, so nothing was sent.'],
  ['psp-no-such-editor', 'The editor `psp-no-such-editor` ended with 127, so nothing was sent.'],
])('the editor %s is reported with its exit code', async (program, message) => {
  await expect(edit({ EDITOR: program })).rejects.toMatchObject({ message, hint: expect.stringContaining('VISUAL') })
})

test('the editor ends if the view ends', async () => {
  const controller = new AbortController()
  const editing = edit({ EDITOR: 'sleep 60; true' }, controller.signal)
  controller.abort()
  await expect(editing).rejects.toMatchObject({ name: 'AbortError' })
})
