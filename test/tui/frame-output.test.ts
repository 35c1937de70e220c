import { describe, expect, it } from 'vitest'
import { createDiffWriter, createFrameScheduler } from '../../src/tui/screen.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

describe('the diff writer', () => {
  function openWriter(rows = 3) {
    const written: string[] = []
    const writer = createDiffWriter((text) => written.push(text), { columns: 10, rows })
    return { ...writer, written, draw: (frame: string) => writer.stream.write(frame) }
  }

  it('writes the first frame completely, and later only changed lines in a single write', () => {
    const { draw, written } = openWriter()
    draw('a\nb\nc')
    draw('a\nB\nc')
    draw('a\nB\nc')
    expect(written).toHaveLength(2)
    expect(written[0]).toContain('\u001b[2J')
    expect(written[1]).toBe('\u001b[?2026h\u001b[2;1H\u001b[2KB\u001b[0m\u001b[?2026l')
  })

  it('erases lines that the new frame lacks, and never writes below the screen', () => {
    const { draw, written } = openWriter(2)
    draw('a\nb\nc')
    expect(written[0]).not.toContain('c')
    draw('a')
    expect(written[1]).toContain('\u001b[2;1H\u001b[2K')
  })

  it('repaints everything after a resize, and writes nothing after it is closed', () => {
    const { draw, written, resize, close, stream } = openWriter()
    draw('a\nb')
    resize({ columns: 20, rows: 5 })
    expect([stream.columns, stream.rows]).toEqual([20, 5])
    draw('a\nb')
    expect(written[1]).toContain('\u001b[2J')
    close()
    draw('x')
    expect(written).toHaveLength(2)
  })
})

describe('the frame scheduler', () => {
  it('draws at most ten times a second, and always draws the last state', async () => {
    const systemClock = manualSystemClock()
    let frames = 0
    const scheduler = createFrameScheduler(() => frames++, systemClock)
    for (let ms = 0; ms < 1000; ms += 5) {
      scheduler.request()
      await systemClock.advance(5)
    }
    expect(frames).toBeLessThanOrEqual(11)
    expect(frames).toBeGreaterThanOrEqual(9)
    const before = frames
    scheduler.request()
    await systemClock.advance(1000)
    expect(frames).toBe(before + 1)
  })

  it('draws at most a tenth of the time if drawing is slow', async () => {
    const systemClock = manualSystemClock()
    let frames = 0
    // A frame that takes 50 ms.
    const slow = { ...systemClock, monotonic: () => systemClock.monotonic() + frames * 50 }
    const scheduler = createFrameScheduler(() => frames++, slow)
    scheduler.request()
    await systemClock.advance(0)
    scheduler.request()
    await systemClock.advance(440)
    expect(frames).toBe(1)
    await systemClock.advance(100)
    expect(frames).toBe(2)
  })

  it('draws immediately after a key, and never after it is stopped', async () => {
    const systemClock = manualSystemClock()
    let frames = 0
    const scheduler = createFrameScheduler(() => frames++, systemClock)
    scheduler.request(true)
    scheduler.request(true)
    expect(frames).toBe(2)
    scheduler.request()
    scheduler.stop()
    await systemClock.advance(1000)
    expect(frames).toBe(2)
  })
})
