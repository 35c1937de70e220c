// The requests of curl commands, such as those that a browser copies.
import type { RecordedMessage } from './recorded-message.ts'
import { RecordingError } from './recording-error.ts'
import { ShellSyntaxError, type ShellWord, shellWords } from './shell-words.ts'

/** @throws RecordingError if the text is not a curl command for a POSIX shell, or if a body is in a file or on stdin */
export function curlMessages(text: string, name: string): RecordedMessage[] {
  const words = wordsOf(text.replace(/^\ufeff/, ''), name).filter(({ text: word }) => !isPrompt(word))
  const starts = words.flatMap(({ text: word }, at) => (isCurl(word) || word === '--next' ? [at] : []))
  if (starts[0] !== 0) throw new RecordingError(`${name} does not begin with a curl command.`, SYNTAX)
  return starts.map((start, at) => {
    const rest = words.slice(start + 1, starts[at + 1])
    const end = rest.findIndex(({ text: word }) => END.test(word))
    return messageOf(end < 0 ? rest : rest.slice(0, end), words[start] as ShellWord, name)
  })
}

/** The beginning of a text with a curl command. Comments and the prompt of a shell may precede it. */
export const CURL_COMMAND = /^(?:\s*(?:#[^\n]*\n|[$%]\s))*\s*(?:\S*[/\\])?curl(?:\.exe)?\s/

const isPrompt = (word: string) => word === '$' || word === '%'
/** The end of a command: a pipe, a redirection or an operator. */
const END = /^(?:\|{1,2}|&{1,2}|\d?>{1,2}(?:&\d|[^{"]*)|<{1,3}.*)$/

const SYNTAX = "Write it as curl URL -H 'X-PSP-Signature: …' --data-raw '…'. Browsers copy this format as cURL (bash)."

function isCurl(word: string): boolean {
  return /^(?:.*[/\\])?curl(?:\.exe)?$/.test(word)
}

function wordsOf(text: string, name: string): ShellWord[] {
  if (/\^"|\^\r?\n/.test(text)) {
    throw new RecordingError(`${name} is a curl command for the Windows command prompt.`, 'Copy it as cURL (bash).')
  }
  try {
    return shellWords(text)
  } catch (error) {
    if (error instanceof ShellSyntaxError)
      throw new RecordingError(`${name} line ${error.line} ${error.message}`, SYNTAX)
    throw error
  }
}

const DATA = ['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--json']
/** Options with a body that is not the JSON of a webhook. */
const OTHER_DATA = ['-F', '--form', '--form-string', '--data-urlencode', '-T', '--upload-file']
const HEADER = ['-H', '--header']

interface Given {
  readonly headers: [string, string][]
  body: string | undefined
  /** An option with a body that is not read. */
  otherData: string | undefined
  isQuery: boolean
  url: string
  method: string | undefined
}

function messageOf(words: readonly ShellWord[], start: ShellWord, name: string): RecordedMessage {
  const given: Given = {
    headers: [],
    body: undefined,
    otherData: undefined,
    isQuery: false,
    url: '',
    method: undefined,
  }
  for (let at = 0; at < words.length; at++) {
    const line = words[at]?.line ?? start.line
    const options = splitOptions(words, at)
    if (options.some(({ isSeparate }) => isSeparate)) at++
    for (const { option, value } of options) applyOption(given, option, value, () => `${name} line ${line}`)
  }
  const { headers, body, otherData, isQuery, url, method } = given
  const hasBody = body !== undefined && !isQuery && otherData === undefined
  return {
    place: `line ${start.line}`,
    ...(hasBody && { body: Buffer.from(body) }),
    headers,
    about: `${method ?? (hasBody || otherData !== undefined ? 'POST' : 'GET')} ${url}`,
    ...(otherData !== undefined && {
      noBody: `the option ${otherData} does not send the JSON of an event. Pass the body with --data-raw.`,
    }),
    ...(isQuery && { noBody: 'the option -G sends the data in the URL.' }),
  }
}

function applyOption(given: Given, option: string, value: string, place: () => string): void {
  if (DATA.includes(option)) {
    if (value.startsWith('@') && option !== '--data-raw') throw bodyElsewhere(place(), value.slice(1))
    const { body } = given
    given.body = body === undefined ? value : body + (option === '--json' ? '' : '&') + value
  } else if (OTHER_DATA.includes(option)) given.otherData = option
  else if (option === '-G' || option === '--get') given.isQuery = true
  else if (HEADER.includes(option)) {
    const [, header = '', content = ''] = /^([^:]+):\s*(.*)$/.exec(value) ?? []
    if (header !== '') given.headers.push([header, content])
  } else if (option === '' || option === '--url') given.url = value
  else if (option === '-X' || option === '--request') given.method = value
}

function bodyElsewhere(place: string, file: string): RecordingError {
  return file === '-'
    ? new RecordingError(`${place}: the body is read from stdin.`, 'Write it into the command with --data-raw.')
    : new RecordingError(`${place}: the body is in the file ${file}.`, 'Import that file instead.')
}

/** Short options of curl with a value. */
const SHORT_WITH_VALUE = /^[AbcCdDeEFhHKmoPQrtTuUwxXyYz]$/
/** Long options of curl with a value. If an option is missing here, its value is mistaken for the URL. */
const LONG_WITH_VALUE = [
  '--user-agent --cookie --cookie-jar --referer --output --user --max-time --connect-timeout',
  '--proxy --write-out --cacert --cert --key --retry --resolve --range --request --url',
].flatMap((line) => line.split(' '))

interface GivenOption {
  readonly option: string
  readonly value: string
  /** Whether the value is the next word. */
  readonly isSeparate: boolean
}

/** Splits `-sXPOST`, `--data=x` and `-X POST`. Any other word has the option ''. */
function splitOptions(words: readonly ShellWord[], at: number): GivenOption[] {
  const word = words[at]?.text ?? ''
  const next = words[at + 1]?.text ?? ''
  if (!/^-./.test(word)) return [{ option: '', value: word, isSeparate: false }]
  if (!word.startsWith('--')) return shortOptions(word.slice(1), next)
  if ([...DATA, ...OTHER_DATA, ...HEADER, ...LONG_WITH_VALUE].includes(word))
    return [{ option: word, value: next, isSeparate: true }]
  const [, option = '', value = ''] = /^(--[^=]+)=?([\s\S]*)$/.exec(word) ?? []
  return [{ option, value, isSeparate: false }]
}

/** The first letter with a value ends the options of a word. */
function shortOptions(letters: string, next: string): GivenOption[] {
  const end = [...letters].findIndex((letter) => SHORT_WITH_VALUE.test(letter))
  const flags = end < 0 ? letters : letters.slice(0, end)
  const options = [...flags].map((letter) => ({ option: `-${letter}`, value: '', isSeparate: false }))
  if (end < 0) return options
  const value = letters.slice(end + 1)
  return [...options, { option: `-${letters.charAt(end)}`, value: value || next, isSeparate: value === '' }]
}
