// After `clock advance` a real clock is ahead of the machine. Each line about the clock says how far.
import { expect, onTestFinished, test } from 'vitest'
import { createTestDir, startPsp, startTestServer, waitUntil } from './helpers.ts'

async function ahead(by: string) {
  const testServer = await startTestServer({ clock: { mode: 'real' } })
  onTestFinished(() => testServer.close())
  expect((await testServer.psp(['clock', 'advance', by])).code).toBe(0)
  return testServer
}

test('`clock show` says how far a real clock is ahead', async () => {
  const testServer = await ahead('20m')
  expect((await testServer.psp('clock show')).stdout).toMatch(/^mode +real, 20 min ahead of this machine$/m)
  expect((await testServer.psp('clock freeze')).stdout).toMatch(/^mode +frozen$/m)
  // The clock was frozen for as long as the test took.
  expect((await testServer.psp('clock resume')).stdout).toMatch(/^mode +real, (20|19|18) min.* ahead of this machine$/m)
  expect((await testServer.psp('clock speed 60')).stdout).toMatch(/^mode +scaled, 60 times normal speed$/m)
})

test('`clock show` calls the clock real if it shows the system time', async () => {
  const testServer = await startTestServer({ clock: { mode: 'real' } })
  onTestFinished(() => testServer.close())
  expect((await testServer.psp('clock show')).stdout).toMatch(/^mode +real$/m)
})

test('the note on times says how far the clock is ahead', async () => {
  const testServer = await ahead('3h')
  await testServer.psp('payments create --amount 100')
  expect((await testServer.psp('logs')).stderr).toContain("The sandbox's clock is real, 3 h ahead of this machine: 2")
})

test.each([
  [['--clock', 'real'], undefined],
  [['--clock', 'frozen@2099-01-02T03:04:05Z'], 'The clock is frozen: 2099-01-02 03:04:05 UTC.'],
  [['--clock', 'x60'], 'The clock runs 60 times as fast: 2'],
])('the banner of `serve %j` describes a clock that does not show real time', async (flags, line) => {
  const folder = createTestDir()
  onTestFinished(folder.remove)
  const errors = await banner(['--ephemeral', ...flags], folder.path)
  if (line === undefined) expect(errors).not.toContain('The clock')
  else expect(errors).toContain(line)
})

test('the banner of `serve` says how far the clock of the data directory is ahead', async () => {
  const folder = createTestDir()
  onTestFinished(folder.remove)
  await startPsp(['clock', 'advance', '20m'], { cwd: folder.path }).ended
  const errors = await banner([], folder.path)
  expect(errors).toContain('The clock is real, 20 min ahead of this machine: 2')
})

async function banner(flags: readonly string[], cwd: string): Promise<string> {
  const running = startPsp(['serve', '--port', '0', ...flags], { cwd })
  await waitUntil(() => running.errors().includes('Ctrl-C stops.'))
  running.signal('SIGTERM')
  await running.ended
  return running.errors()
}
