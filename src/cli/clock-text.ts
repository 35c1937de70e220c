export { about, dateAndTime, elapsed, timeOfDay } from '../terminal/clock-text.ts'
