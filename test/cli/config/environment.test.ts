// All PSP_ variables are read by the same rule.
import { describe, expect, test } from 'vitest'
import { type ConfigSources, resolveConfig } from '../../../src/cli/config/config.ts'
import { parseConfigFile } from '../../../src/cli/config/config-file.ts'
import { CONFIG_KEYS, CONFIG_NAMES, type ConfigKey } from '../../../src/cli/config/config-keys.ts'
import { resolveSettings } from '../../../src/cli/config/settings-config.ts'
import { SETTING_NAMES, SETTINGS, type SettingName, settingEnvName } from '../../../src/settings.ts'

/** A value that the variable accepts and that is not the default. */
const VALUES: Partial<Record<ConfigKey, string>> = {
  url: 'http://127.0.0.1:7999',
  data: 'elsewhere',
  api_key: 'sk_test_abc123_x',
  signing_secret: 'thm_aaaaaaaaaaaaaaaa',
  webhook_secret: 'whs_aaaaaaaaaaaaaaaa',
  control_token: 'a-token-of-this-test',
  color: 'never',
  host: '::1',
  clock: 'frozen',
  buyer: 'manual',
  endpoint: 'localhost:3000/a,localhost:3001/b',
  pay_url: 'https://pay.example',
}

function textOf(key: ConfigKey): string {
  const { kind } = CONFIG_KEYS[key]
  return VALUES[key] ?? (kind === 'switch' ? 'true' : kind === 'integer' ? '7' : 'a-file')
}

const BLANK = ['', ' ', '\r', '\r\n', '\t']
const PADDED = ['\r', '\n', '\r\n', ' ', ' \r\n']

const sources = (env: Record<string, string>): ConfigSources => ({
  flags: new Map(),
  set: [],
  env,
  file: parseConfigFile('{}'),
})

describe.each(CONFIG_NAMES)('the variable of %s', (key) => {
  const { env, fallback } = CONFIG_KEYS[key]
  const resolved = (text: string) => resolveConfig(sources({ [env]: text }))

  test('the variable has the same value with white space or a line end around the text', () => {
    const { values, origins } = resolved(textOf(key))
    expect([values[key], origins[key]]).toEqual([values[key], env])
    expect(values[key]).not.toEqual(fallback)
    for (const end of PADDED) expect(resolved(`${textOf(key)}${end}`).values[key]).toEqual(values[key])
    expect(resolved(` ${textOf(key)}`).values[key]).toEqual(values[key])
  })

  test('a blank variable counts as not set', () => {
    for (const text of BLANK) {
      const { values, origins } = resolved(text)
      expect([values[key], origins[key]]).toEqual([fallback, 'default'])
    }
  })
})

/** Returns a text for the setting that differs from its default. */
function settingText(name: SettingName): string {
  const { default: fallback } = SETTINGS[name]
  if (Array.isArray(fallback)) return '1s,2s'
  if (typeof fallback === 'boolean') return String(!fallback)
  const special: Partial<Record<SettingName, string>> = {
    default_outcome: 'pending',
    buyer: 'manual',
    naming: 'shop',
    empty_dates: 'null',
    time_fraction: '6',
    signature_status: '401',
    unknown_bank: 'accept',
    banks: 'top30',
    webhook_v1: 'omit',
    stream_second: 'reject',
  }
  return special[name] ?? (typeof fallback === 'number' ? '2048' : '7s')
}

describe.each(SETTING_NAMES)('the variable of the setting %s', (name) => {
  const resolved = (text: string) => resolveSettings(sources({ [settingEnvName(name)]: text }))

  test('the variable has the same value with white space or a line end around the text', () => {
    const { values, origins } = resolved(settingText(name))
    expect(origins[name]).toBe(settingEnvName(name))
    for (const end of PADDED) expect(resolved(`${settingText(name)}${end}`).values[name]).toEqual(values[name])
    expect(resolved(` ${settingText(name)}`).values[name]).toEqual(values[name])
  })

  test('a blank variable counts as not set', () => {
    for (const text of BLANK) expect(resolved(text)).toEqual({ values: {}, origins: {} })
  })
})

test('a setting that may be empty is written as an empty JSON text or list in its variable', () => {
  const { values } = resolveSettings(sources({ PSP_SET_EMPTY_DATES: '""', PSP_SET_WEBHOOK_RETRIES: '[]' }))
  expect(values).toEqual({ empty_dates: '', webhook_retries: [] })
})
