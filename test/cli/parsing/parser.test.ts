import { describe, expect, test } from 'vitest'
import { type Command, type Group, isGroup } from '../../../src/cli/command.ts'
import { COMMANDS } from '../../../src/cli/commands/index.ts'
import { CONFIG_KEYS } from '../../../src/cli/config/config-keys.ts'
import { commandHelp, groupHelp } from '../../../src/cli/help/help.ts'
import { PLAIN } from '../../../src/cli/output/colour.ts'
import { GLOBAL_FLAGS } from '../../../src/cli/parsing/common-flags.ts'
import type { FlagSet } from '../../../src/cli/parsing/flags.ts'
import { buildParser, type Invocation } from '../../../src/cli/parsing/parser.ts'
import { psp } from '../helpers.ts'

function parse(...argv: string[]): Invocation {
  let invocation: Invocation | undefined
  const parser = buildParser(COMMANDS, {
    version: '0',
    help: { paint: PLAIN, columns: 80 },
    json: false,
    write: () => {},
    onInvoke: (called) => {
      invocation = called
    },
  })
  parser.parse(argv, { from: 'user' })
  if (invocation === undefined) throw new Error('nothing was invoked')
  return invocation
}

describe('a command line', () => {
  test('a command line is parsed into arguments, flags and configuration', () => {
    const { command, args, flags, config } = parse(
      ...['payments', 'refund', 'ID', '--amount', '100', '--json', '--url', 'http://x', '--reason', 'a b'],
    )
    expect(command.name).toBe('refund')
    expect(args).toEqual({ id: 'ID' })
    expect(flags).toMatchObject({ amount: 100, reason: 'a b', outcome: undefined })
    expect(Object.fromEntries(config.flags)).toEqual({ json: true, url: 'http://x' })
  })

  test('global flags may precede the command', () => {
    expect(Object.fromEntries(parse('--json', '--data', 'd', 'payments', 'list').config.flags)).toEqual({
      json: true,
      data: 'd',
    })
  })

  test('a flag may repeat, and its value may contain an equal sign', () => {
    const { flags } = parse('payments', 'create', '--metadata', 'a=1', '--metadata', 'b=x=y')
    expect(flags['metadata']).toEqual([
      ['a', '1'],
      ['b', 'x=y'],
    ])
  })

  test('`serve --set` is parsed into settings', () => {
    const { config } = parse(
      'serve',
      '--set',
      'a=1',
      '--set',
      'b=2',
      '--port',
      '0',
      '--endpoint',
      'http://a',
      '--endpoint',
      'http://b',
    )
    expect(config.set).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
    expect(Object.fromEntries(config.flags)).toEqual({ port: 0, endpoint: ['http://a', 'http://b'] })
  })

  test('`trigger --set` is not a setting', () => {
    const { config, flags } = parse('trigger', 'payment.failed', '--set', 'amount=5')
    expect([config.set, flags['set']]).toEqual([[], [['amount', '5']]])
  })

  test('`payments create --metadata` takes several pairs and may repeat', () => {
    const { flags } = parse('payments', 'create', '--metadata', 'a=1', 'b=2', '--amount', '5', '--metadata', 'c=3=4')
    expect(flags).toMatchObject({
      metadata: [
        ['a', '1'],
        ['b', '2'],
        ['c', '3=4'],
      ],
      amount: 5,
    })
  })

  test('`exec` accepts each flag of `serve`', () => {
    const { args, config } = parse('exec', '--ephemeral', '--durable', '--', 'npm')
    expect(args).toEqual({ command: ['npm'] })
    expect(Object.fromEntries(config.flags)).toMatchObject({ ephemeral: true, durable: true })
  })

  test('the flags of `exec` end at --', () => {
    const { args, config } = parse('exec', '--port', '0', '--', 'npm', 'test', '--json', '--port', '9')
    expect(args).toEqual({ command: ['npm', 'test', '--json', '--port', '9'] })
    expect(Object.fromEntries(config.flags)).toEqual({ port: 0 })
  })

  test('a group with a default command may be called without a command', () => {
    expect(parse('clock').command.name).toBe('show')
    expect(parse('settings', 'magic').args).toEqual({ name: 'magic' })
    expect(parse('settings', 'set', 'a=1').args).toEqual({ 'name=value': ['a=1'] })
  })
})

describe('wrong usage', () => {
  test.each([
    ['paymnts list', 'Did you mean payments?'],
    ['payments lst', 'Did you mean list?'],
    ['payments list --limt 1', 'Did you mean --limit?'],
    ['paymnts --help', 'Did you mean payments?'],
    ['help paymnts', 'Did you mean payments?'],
    ['payments creat --help', 'Did you mean create?'],
    ['payments help creat', 'Did you mean create?'],
    ['--url http://x webhooks endpionts -h', 'Did you mean endpoints?'],
    ['zzzzzzzz --help', '`psp --help` lists its commands'],
    ['clock advnce', 'Did you mean advance?'],
    ['payments', 'psp payments needs one of its commands: create, get, list'],
    ['payments get', '`psp payments get --help` shows'],
    ['payments get a b', '`psp payments get --help` shows'],
    ['payments create --amount', '`psp payments create --help` shows'],
    ['payments create --amount 1.5', '1.50 RUB is 150 (kopeks)'],
    ['payments create --amount -5', 'Give it in digits'],
    ['payments create --method cash', 'Choose one of'],
    ['payments create --method spb', 'Did you mean sbp?'],
    ['listen --forward 3000 --header nonsense', "--header 'X-Trace: 1'"],
    ['listen --forward 3000 --timeout 15', '15s'],
    ['listen --forward ftp://x', 'localhost:3000/hooks'],
    ['listen', 'psp listen --forward localhost:3000/hooks'],
    ['clock freeze yesterday', 'RFC 3339'],
    ['clock advance', 'psp clock advance 20m'],
    ['clock speed 0', 'above 0'],
    ['verify', 'Give its file'],
    ['events replay', 'psp events replay evt_'],
    ['trigger nope', '`psp trigger --list`'],
    ['trigger payment.suceeded', 'Did you mean payment.succeeded?'],
    ['settings majic', 'Did you mean magic?'],
    ['serve --clock soon', 'frozen@2026'],
    ['serve --set delays.bnk=1s', '`psp settings`'],
    ['rules add failed --times 0', 'Give it in digits'],
    ['completion nushell', 'Choose one of'],
  ])('`psp %s` is wrong usage with a hint', async (line, hint) => {
    const { code, stdout, stderr } = await psp(line)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.trimEnd().split('\n')).toHaveLength(2)
    expect(stderr).toContain(hint)
  })

  test('a flag is not the value of another flag, except after an equal sign', () => {
    expect(() => parse('payments', 'list', '--url', '--json')).toThrow('--url is missing its value: --json is the next')
    expect(() => parse('payments', 'create', '--amount', '--wait')).toThrow('--amount is missing its value')
    expect(() => parse('listen', '--forward', '3000', '--shop', '--show-body')).toThrow('--shop is missing its value')
    expect(parse('payments', 'create', '--amount', '1', '--description=--json').flags).toMatchObject({
      description: '--json',
    })
    expect(parse('payments', 'create', '--amount', '1', '--description', '--nothing').flags).toMatchObject({
      description: '--nothing',
    })
  })

  test('a usage error with --json is one line of JSON on stderr', async () => {
    const { code, stdout, stderr } = await psp('payments creat --json')
    expect([code, stdout]).toEqual([2, ''])
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'usage', message: "Unknown command 'creat' of psp payments.", hint: 'Did you mean create?' },
    })
  })

  test.each([
    [
      'settings reset naming',
      "Unknown command 'reset' of psp settings.\n`psp settings set NAME=null` restores the default.",
    ],
    ['settings gett buyer', "Unknown command 'gett' of psp settings.\nDid you mean get?"],
  ])('`psp %s` names the unknown command although the default command has an argument', async (line, message) => {
    expect((await psp(line)).stderr).toContain(`error ${message}\n`)
    const [, ...words] = line.split(' ')
    const rest = words.join(' ')
    for (const options of ['--data settings settings', 'settings --color never', 'settings --data reset'])
      expect((await psp(`${options} ${rest}`)).stderr, options).toContain(`error ${message}\n`)
  })

  test('a setting with a second word has too many arguments', async () => {
    expect((await psp('settings buyer naming')).stderr).toContain("error Too many arguments for 'settings'.")
  })

  test('an unknown command is reported with its group, also by the help of the group', async () => {
    const words: string[] = []
    const visit = ({ commands, defaultCommand }: Group, path: string) => {
      if (Object.keys(defaultCommand?.args ?? {}).length === 0) words.push(path)
      for (const entry of commands) if (isGroup(entry)) visit(entry, `${path} ${entry.name}`)
    }
    visit(COMMANDS, 'psp')
    expect(words).toContain('psp webhooks endpoints')
    for (const path of words) {
      const line = `${path} zzzzzzzz`.slice('psp '.length)
      const group = path === 'psp' ? '' : ` of ${path}`
      const message = `error Unknown command 'zzzzzzzz'${group}.\n\`${path} --help\` lists its commands.\n`
      expect(await psp(line)).toEqual({ code: 2, stdout: '', stderr: message })
      expect(await psp(`${line} --help`)).toEqual({ code: 2, stdout: '', stderr: message })
    }
  })
})

describe('help', () => {
  test.each(['--help', 'help'])('`psp %s` lists each command with its purpose, by section', async (line) => {
    const { code, stdout, stderr } = await psp(line, { columns: 120 })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.indexOf('Examples')).toBeLessThan(stdout.indexOf('\nRun\n'))
    for (const { name, description } of COMMANDS.commands) {
      expect(
        stdout.split('\n').filter((row) => row.startsWith(`  ${name} `) && row.endsWith(description)),
      ).toHaveLength(1)
    }
    expect(stdout).toContain('--control-token <token>')
  })

  test('`psp` alone prints a help text that fits one screen', async () => {
    const { code, stdout, stderr } = await psp('', { columns: 80 })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.indexOf('Examples')).toBeLessThan(stdout.indexOf('Commands'))
    const words = stdout.slice(stdout.indexOf('Commands')).split(/[\s,]+/)
    for (const { name } of COMMANDS.commands) expect(words).toContain(name)
    for (const flag of ['--json', '--url', '--version']) expect(words).toContain(flag)
    // The text and the prompt fit a terminal of 24 rows.
    expect(stdout.trimEnd().split('\n').length).toBeLessThan(24)
    for (const row of stdout.split('\n')) expect(row.length).toBeLessThanOrEqual(80)
  })

  test.each([
    'help payments create',
    'payments help create',
    'payments create --help',
    '--url 7770 payments create -h',
  ])('`psp %s` prints the help of the command', async (line) => {
    expect(await psp(line)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Create a payment\./) })
  })

  test('the help of each command and group begins with examples', () => {
    const visit = (entry: Command | Group, path: string) => {
      const options = { paint: PLAIN, columns: 80 }
      const text = isGroup(entry) ? groupHelp(path, entry, options) : commandHelp(path, entry, options)
      expect(text, path).toMatch(/^[^\n]+\n\nExamples\n {2}(?:# |psp )/)
      if (isGroup(entry)) for (const inner of entry.commands) visit(inner, `${path} ${inner.name}`)
    }
    visit(COMMANDS, 'psp')
  })

  test('--help after an argument prints the help, and after -- it belongs to the child', async () => {
    expect((await psp('settings majic --help')).stdout).toContain('psp settings set')
    expect((await psp('exec npm --help')).stdout).toMatch(/^Run a command with a fresh sandbox/)
    expect((await psp('nope -- --help')).code).toBe(2)
  })

  test('the help of a command has examples, then flags', async () => {
    const { code, stdout } = await psp('payments create --help')
    expect(code).toBe(0)
    expect(stdout.indexOf('Examples')).toBeLessThan(stdout.indexOf('--amount <n>'))
    expect((await psp('help payments')).stdout).toContain('refund')
  })

  test('--version prints the version, with --json as JSON', async () => {
    expect((await psp('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    for (const line of ['--json --version', '--version --json']) {
      expect(JSON.parse((await psp(line)).stdout)).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
    }
  })
})

test('the sections of the help contain each command once', () => {
  const named = (COMMANDS.sections ?? []).flatMap(([, names]) => names)
  expect([...named].sort()).toEqual(COMMANDS.commands.map(({ name }) => name).sort())
})

describe('the commands', () => {
  const all = commandsOf(COMMANDS, 'psp')

  test.each(all.map(([path, command]) => [path, command] as const))(
    'the command %s has a description and examples',
    (path, command) => {
      expect(command.description).toMatch(/^[A-Z].*\.$/)
      expect(command.examples.length).toBeGreaterThan(0)
      for (const [line] of command.examples) expect(line).toContain(path.split(' ').slice(0, -1).join(' '))
    },
  )

  test.each(all.map(([path, command]) => [path, command] as const))(
    'the command %s can be loaded',
    async (_path, command) => {
      expect(typeof (await command.load())).toBe('function')
    },
  )

  test('no flag of a command hides a global one', () => {
    const global = new Set(Object.values(GLOBAL_FLAGS).map(({ spelling }) => longName(spelling)))
    for (const [path, command] of all) {
      for (const { spelling } of Object.values(command.flags))
        expect([path, global.has(longName(spelling))]).toEqual([path, false])
    }
  })

  test('a flag that is configuration has the name of its key', () => {
    for (const [path, command] of [...all, ['psp', { flags: GLOBAL_FLAGS }] as const]) {
      for (const [name, { spelling, configures }] of Object.entries(command.flags as FlagSet)) {
        if (configures !== true) continue
        expect([path, Object.hasOwn(CONFIG_KEYS, name)]).toEqual([path, true])
        expect([path, longName(spelling)]).toEqual([path, `--${name.replaceAll('_', '-')}`])
      }
    }
  })

  test('`shops update --rate-limit` is not the setting of the server', () => {
    expect([...parse('shops', 'update', 'ID', '--rate-limit', '5').config.flags.keys()]).toEqual([])
  })
})

function longName(spelling: string): string | undefined {
  return /--[a-z0-9-]+/.exec(spelling)?.[0]
}

function commandsOf(group: Group, path: string): [string, Command][] {
  return group.commands.flatMap((entry) =>
    isGroup(entry)
      ? commandsOf(entry, `${path} ${entry.name}`)
      : [[`${path} ${entry.name}`, entry] as [string, Command]],
  )
}

describe('the suggestion for an unknown option', () => {
  test.each([
    ['payments list --all', undefined],
    ['payments list -x', undefined],
    ['webhooks deliveries retry --all', undefined],
    ['payments list -J', '-j'],
    ['payments list --jsn', '--json'],
    ['payments list --LIMIT', '--limit'],
    ['payments list -limti', '--limit'],
    ['serve --prot', '--port'],
  ])('`psp %s` suggests %s', async (line, meant) => {
    const { code, stderr } = await psp(line)
    const path = line.split(/ -/)[0]
    const hint = meant === undefined ? `\`psp ${path} --help\` shows examples and options.` : `Did you mean ${meant}?`
    expect([code, stderr.split('\n')[1]]).toEqual([2, hint])
  })
})
