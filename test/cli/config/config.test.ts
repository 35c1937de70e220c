import { describe, expect, test } from 'vitest'
import { type ConfigSources, resolveConfig } from '../../../src/cli/config/config.ts'
import { parseConfigFile } from '../../../src/cli/config/config-file.ts'
import { CONFIG_KEYS, CONFIG_NAMES } from '../../../src/cli/config/config-keys.ts'
import { resolveSettings } from '../../../src/cli/config/settings-config.ts'
import { psp } from '../helpers.ts'

const EMPTY: ConfigSources = { flags: new Map(), set: [], env: {}, file: parseConfigFile('{}') }

describe('precedence', () => {
  const file = parseConfigFile('{"port": 1, "host": "file", "data": "file", "url": "http://file"}')

  test('a flag overrides a variable, which overrides the file, which overrides the default', () => {
    const { values, origins } = resolveConfig({
      flags: new Map([['port', 3]]),
      set: [],
      env: { PSP_PORT: '2', PSP_HOST: 'env' },
      file,
    })
    expect([values.port, origins.port]).toEqual([3, '--port'])
    expect([values.host, origins.host]).toEqual(['env', 'PSP_HOST'])
    expect([values.data, origins.data]).toEqual(['file', 'psp.config.json'])
    expect([values.color, origins.color]).toEqual(['auto', 'default'])
  })

  test('an empty variable counts as not set', () => {
    expect(resolveConfig({ ...EMPTY, env: { PSP_PORT: '' } }).values.port).toBe(7770)
  })

  test('each key has its own variable', () => {
    const names = CONFIG_NAMES.map((name) => CONFIG_KEYS[name].env)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(CONFIG_NAMES.map((name) => `PSP_${name.toUpperCase()}`))
  })
})

describe('the environment', () => {
  test('a variable separates the entries of a list by commas, and sets a switch by 1 or false', () => {
    const env = { PSP_ENDPOINT: 'http://a/x, http://b/y', PSP_EPHEMERAL: '1', PSP_DURABLE: 'false' }
    const { values } = resolveConfig({ ...EMPTY, env })
    expect(values.endpoint).toEqual(['http://a/x', 'http://b/y'])
    expect([values.ephemeral, values.durable]).toEqual([true, false])
  })

  test('the error of an invalid value names its variable', () => {
    expect(() => resolveConfig({ ...EMPTY, env: { PSP_PORT: '99999' } })).toThrow(/^PSP_PORT: "99999"/)
    expect(() => resolveConfig({ ...EMPTY, env: { PSP_EPHEMERAL: 'perhaps' } })).toThrow(/^PSP_EPHEMERAL: /)
  })

  test('a line end that was pasted with a secret is removed', () => {
    const { values } = resolveConfig({ ...EMPTY, env: { PSP_API_KEY: 'sk_test_abcdef_x\r\n' } })
    expect(values.api_key).toBe('sk_test_abcdef_x')
    expect(() => resolveConfig({ ...EMPTY, env: { PSP_API_KEY: 'sk test' } })).toThrow('PSP_API_KEY')
  })
})

describe('psp.config.json', () => {
  test.each([
    ['{"prot": 1}', 'Did you mean "port"?'],
    ['{"setings": {}}', 'Did you mean "settings"?'],
    ['{"port": "1"}', '`port`: port of the server'],
    ['{"endpoint": "http://a"}', '`endpoint`: webhook endpoints'],
    ['{"port": 7770,}', 'no trailing commas'],
    ['[]', 'Write it as {"port": 7770}.'],
    ['{"port": 70000}', 'Give it in digits'],
    ['{"color": "sometimes"}', 'Choose one of'],
  ])('the file %s is refused with a hint', (text, hint) => {
    expect(() => parseConfigFile(text)).toThrow(
      expect.objectContaining({ exit: 'usage', hint: expect.stringContaining(hint) }),
    )
  })

  test('psp.config.json may have a byte order mark and $schema', () => {
    expect([...parseConfigFile('\uFEFF{"$schema": "x", "port": 1}').values]).toEqual([['port', 1]])
  })
})

describe('settings', () => {
  test.each(['1e400', '9007199254740993'])('the error quotes the number %s as it was written', (written) => {
    expect(() => parseConfigFile(`{"port": ${written}}`)).toThrow(`port: "${written}" is not an integer`)
    const file = parseConfigFile(`{"settings": {"rate_limit": ${written}}}`)
    expect(() => resolveSettings({ ...EMPTY, file })).toThrow(`, got "${written}"`)
    expect(() => resolveSettings({ ...EMPTY, set: [['rate_limit', written]] })).toThrow(`, got "${written}"`)
    expect(() => resolveSettings({ ...EMPTY, env: { PSP_SET_RATE_LIMIT: written } })).toThrow(`, got "${written}"`)
  })

  test('later sources of a setting override earlier ones: file, PSP_SET_, PSP_BUYER, --set, --buyer', () => {
    const file = parseConfigFile('{"settings": {"delays.bank": "1m", "buyer": "auto", "link_ttl": "1h"}}')
    const env = { PSP_SET_DELAYS_BANK: '2m', PSP_SET_BUYER: 'auto', PSP_BUYER: 'manual' }
    const fromEnv = resolveSettings({ ...EMPTY, file, env })
    expect(fromEnv.values).toEqual({ 'delays.bank': '2m', buyer: 'manual', link_ttl: '1h' })
    expect(fromEnv.origins).toEqual({
      'delays.bank': 'PSP_SET_DELAYS_BANK',
      buyer: 'PSP_BUYER',
      link_ttl: 'psp.config.json',
    })
    const flags = new Map([['buyer', 'auto']]) as ConfigSources['flags']
    const set = [
      ['delays.bank', '3m'],
      ['buyer', 'manual'],
    ] as const
    expect(resolveSettings({ flags, set, env, file }).values).toMatchObject({ 'delays.bank': '3m', buyer: 'auto' })
  })

  test('an unknown setting or an invalid value is wrong usage', () => {
    expect(() => resolveSettings({ ...EMPTY, set: [['delays.bnk', '1s']] })).toThrow('did you mean delays.bank?')
    expect(() => resolveSettings({ ...EMPTY, set: [['delays.bank', '1']] })).toThrow('expected a duration')
    expect(() => resolveSettings({ ...EMPTY, set: [['__proto__', '1s']] })).toThrow('__proto__')
    const file = parseConfigFile('{"settings": {"__proto__": {"x": 1}}}')
    expect(() => resolveSettings({ ...EMPTY, file })).toThrow('__proto__')
  })

  test('a PSP_SET_ variable without a setting is wrong usage', () => {
    const resolve = () => resolveSettings({ ...EMPTY, env: { PSP_SET_DELAYS_BNK: '1s' } })
    expect(resolve).toThrow(expect.objectContaining({ exit: 'usage', hint: 'Did you mean PSP_SET_DELAYS_BANK?' }))
  })

  test('a setting that is a list is written with commas', () => {
    expect(resolveSettings({ ...EMPTY, set: [['webhook_retries', '1s,2s']] }).values).toEqual({
      webhook_retries: ['1s', '2s'],
    })
  })
})

test('a variable with a similar name is reported, and variables of other programs are not', async () => {
  const stderrWith = (env: Record<string, string>) => psp('banks сбер', { env }).then(({ stderr }) => stderr)
  expect(await stderrWith({ PSP_PROT: '1' })).toContain('PSP_PROT is not a variable of psp. Did you mean PSP_PORT?')
  expect(await stderrWith({ PSP_SEEDS: 'x' })).toContain('Did you mean PSP_SEED?')
  for (const name of ['PSP_BASE', 'PSP_SET_DELAYS_BANK', 'PSP_SHOP_URL', 'PSP_KEY', 'PSP_EXEC_WAITS']) {
    expect(await stderrWith({ [name]: '1s' })).not.toContain('no variable of psp')
  }
})

test('psp.config.json must not contain a null byte', () => {
  expect(() => parseConfigFile('{"data": "a\\u0000b"}')).toThrow('psp.config.json: data contains a null byte.')
  expect(() => parseConfigFile('{"endpoint": ["http://a\\u0000"]}')).toThrow('endpoint contains a null byte.')
})
