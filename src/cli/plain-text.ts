export { plainBlock, plainJson, plainLine, shorten } from '../terminal/plain-text.ts'
