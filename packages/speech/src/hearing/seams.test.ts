import { LONGEST, withSeams } from '../testing/seams.ts'

withSeams(({ cut, hear }) => {
  test.each(LONGEST)('when pieces have at most %p s, then all speech is in them', cut)

  // The other lengths are in seams.slow.test.ts.
  test.each([LONGEST[0]!, LONGEST.at(-1)!])(
    'when a model hears pieces of at most %p s, then no word is lost or doubled',
    hear,
  )
})
