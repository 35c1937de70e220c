// Runs the test suite of a kit with the built psp.
import { mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, onTestFinished } from 'vitest'
import { BIN } from '../e2e/helpers.ts'

export const KITS = new URL('../../kits/', import.meta.url).pathname

/** The name of a suite that is skipped if something is missing. */
export const needs = (kit: string, missing: string): string =>
  `the ${kit} kit (needs ${missing}: .ci/run installs what the kits need)`

/** Returns a temporary directory that is removed after the test. */
export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'psp-kit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a command to its end, requires that it succeeds, and returns its output. */
export async function run(command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const { all, exitCode } = await execa(command, args, {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      // How often the Go compiler collects garbage. Empty: its default.
      GOGC: process.env['GOGC'] ?? '',
      HOME: homedir(),
      TMPDIR: tmpdir(),
      PSP_BIN: BIN,
      ...env,
    },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    all: true,
    timeout: 170_000,
  })
  expect(exitCode, `${command} ${args.join(' ')}\n${all}`).toBe(0)
  return all
}
