/** Whether an HTTP/1.1 header can have the value: visible ASCII, spaces, tabs, and the rest of Latin-1 (RFC 9110 section 5.5). */
export function isHeaderValue(value: string): boolean {
  return !/[^\t\x20-\x7e\x80-\xff]/.test(value)
}
