// The programs in docs/guides/verifying-signatures.md accept the test vectors and reject forgeries.
import { readFileSync } from 'node:fs'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import vectors from '../../fixtures/signature-vectors.json' with { type: 'json' }

const PROGRAMS = [
  { file: 'verify.mjs', fence: 'js', run: [process.execPath], probe: ['--version'] },
  { file: 'verify.py', fence: 'python', run: ['python3'], probe: ['--version'] },
  { file: 'verify.go', fence: 'go', run: ['go', 'run'], probe: ['version'] },
  { file: 'verify.php', fence: 'php', run: ['php'], probe: ['--version'] },
  { file: 'Verify.java', fence: 'java', run: ['java'], probe: ['--version'] },
] as const

interface Case {
  name: string
  secret: string
  now: number
  header: string
  body: Buffer
  answer: 'valid' | 'invalid'
}

const CASES: readonly Case[] = vectors.flatMap((vector) => {
  const real = {
    secret: vector.secret,
    now: vector.timestamp,
    header: vector.v2,
    body: Buffer.from(vector.body_b64, 'base64'),
  }
  const t = `t=${vector.timestamp}`
  const refused = (name: string, change: Partial<Case>): Case => ({
    ...real,
    name: `${vector.name}: ${name}`,
    answer: 'invalid',
    ...change,
  })
  return [
    { ...real, name: vector.name, answer: 'valid' as const },
    { ...real, name: `${vector.name}: 300 s late`, now: vector.timestamp + 300, answer: 'valid' as const },
    refused('301 s late', { now: vector.timestamp + 301 }),
    refused('301 s early', { now: vector.timestamp - 301 }),
    refused('another body', { body: Buffer.concat([real.body, Buffer.from(' ')]) }),
    refused('another secret', { secret: `${vector.secret}x` }),
    refused('another time', { header: vector.v2.replace(t, `t=${vector.timestamp + 1}`) }),
    refused('no time', { header: vector.v2.replace(`${t},`, '') }),
    refused('v1 alone', { header: vector.v1 }),
    refused('v1 where v2 belongs', { header: `${t},v2=${vector.v1.slice('sha256='.length)}` }),
    refused('no v2', { header: vector.v2.replace(/,v2=.*/, '') }),
    refused('empty v2', { header: `${t},v2=` }),
    refused('nothing', { header: '' }),
    refused('noise', { header: '=,,t=,v2=é₽,☕' }),
    refused('outside ASCII, of the right length', { header: `${t},v2=${'é'.repeat(64)}` }),
  ]
})

const guide = readFileSync(new URL('../../docs/guides/verifying-signatures.md', import.meta.url), 'utf8')
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')
const input = CASES.map((one) => [one.secret, one.now, base64(one.header), base64(one.body)].join('\t')).join('\n')

const atHand = await Promise.all(
  PROGRAMS.map(async ({ run: [command], probe }) => !(await execa(command, [...probe], { reject: false })).failed),
)

describe.each(PROGRAMS.map((program, at) => ({ ...program, atHand: atHand[at] })))('$file', (program) => {
  const {
    file,
    fence,
    run: [command, ...args],
  } = program
  const path = new URL(`../../examples/verify/${file}`, import.meta.url).pathname

  test.skipIf(!program.atHand)(
    `the program accepts valid webhooks and no others (skipped if ${fence} is not installed)`,
    async () => {
      const ran = await execa(command, [...args, path], { input: `${input}\n`, reject: false })
      expect(ran.stderr).toBe('')
      const answers = ran.stdout.trim().split(/\r?\n/)
      expect(CASES.map(({ name }, i) => `${name}: ${answers[i]}`)).toEqual(
        CASES.map(({ name, answer }) => `${name}: ${answer}`),
      )
    },
  )

  test('the program is the one in the guide', () => {
    const shown = guide.match(new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``))?.[1]
    expect(shown).toBeDefined()
    expect(readFileSync(path, 'utf8')).toContain(shown)
  })
})
