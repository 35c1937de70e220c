export interface Finding {
  readonly name: string
  readonly result: 'ok' | 'warn' | 'fail'
  readonly found: string
  readonly fix?: string
}
