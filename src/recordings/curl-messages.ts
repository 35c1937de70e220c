// The requests of curl commands, such as those that a browser copies.
import type { RecordedMessage } from './recorded-message.ts'
import { RecordingError } from './recording-error.ts'
import { ShellSyntaxError, type ShellWord, shellWords } from './shell-words.ts'

/** @throws RecordingError if the text is not a curl command */
export function curlMessages(text: string, name: string): RecordedMessage[] {
  const words = wordsOf(text.replace(/^\ufeff/, ''), name)
  const starts = words.flatMap(({ text: word }, at) => (isCurl(word) ? [at] : []))
  if (starts[0] !== 0) throw new RecordingError(`${name} does not begin with a curl command.`, SYNTAX)
  return starts.map((start, at) => messageOf(words.slice(start + 1, starts[at + 1]), words[start] as ShellWord, name))
}

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
const HEADER = ['-H', '--header']

interface Given {
  readonly headers: [string, string][]
  readonly data: string[]
  url: string
  method: string | undefined
}

function messageOf(words: readonly ShellWord[], start: ShellWord, name: string): RecordedMessage {
  const given: Given = { headers: [], data: [], url: '', method: undefined }
  for (let at = 0; at < words.length; at++) {
    const { option, value, isSeparate } = splitOption(words, at)
    if (isSeparate) at++
    take(given, option, value, () => `${name} line ${words[at]?.line ?? start.line}`)
  }
  const { headers, data, url, method } = given
  return {
    place: `line ${start.line}`,
    ...(data.length === 0 ? {} : { body: Buffer.from(data.join('&')) }),
    headers,
    about: `${method ?? (data.length === 0 ? 'GET' : 'POST')} ${url}`,
  }
}

function take(given: Given, option: string, value: string, place: () => string): void {
  if (DATA.includes(option)) {
    if (value.startsWith('@') && option !== '--data-raw') {
      throw new RecordingError(`${place()}: the body is in the file ${value.slice(1)}.`, 'Import that file instead.')
    }
    given.data.push(value)
  } else if (HEADER.includes(option)) {
    const [, header = '', content = ''] = /^([^:]+):\s*(.*)$/.exec(value) ?? []
    if (header !== '') given.headers.push([header, content])
  } else if (option === '' || option === '--url') given.url = value
  else if (option === '-X' || option === '--request') given.method = value
}

/** Options of curl with a value that does not matter here. */
const WITH_VALUE = ['-A', '--user-agent', '-b', '--cookie', '-e', '--referer', '-o', '--output', '-u', '--user', '-m']

/** Splits `-XPOST`, `--data=x` and `-X POST`. Any other word has the option ''. */
function splitOption(words: readonly ShellWord[], at: number): { option: string; value: string; isSeparate: boolean } {
  const word = words[at]?.text ?? ''
  const next = words[at + 1]?.text ?? ''
  if (!/^-./.test(word)) return { option: '', value: word, isSeparate: false }
  const known = [...DATA, ...HEADER, ...WITH_VALUE, '-X', '--request', '--url']
  if (known.includes(word)) return { option: word, value: next, isSeparate: true }
  const [option = '', value] = word.startsWith('--')
    ? (/^(--[^=]+)=?([\s\S]*)$/.exec(word) ?? []).slice(1)
    : [word.slice(0, 2), word.slice(2)]
  return { option: known.includes(option) ? option : word, value: value ?? '', isSeparate: false }
}
