import { withBuckets } from './word-partition.ts'

const onsets = 'bl br cl cr d dr f fl fr g gl gr j k kl kr l m n p pl pr qu r s sl sn sp st str t tr v w y z zw'.split(
  ' ',
)
const middles =
  'a e i o u ab ack ad ag am arb av eb eck eg elm emb erg ib iff ig imb irp ob og olm omp onk orv ub uff ulg unk urm'.split(
    ' ',
  )
const ends = 'bles dons fers gits kers lops mins nacks pets rals sooms tives vids wugs zons'.split(' ')

/** Invented plural nouns ("blickers"), in code-unit order; none is a word of the taxonomy. */
export const nonsense = withBuckets(
  [
    ...new Set(
      onsets.flatMap((a) =>
        middles.map((b, i) => `${a}${b}${ends[(i * 7 + a.length * 3 + a.charCodeAt(0)) % ends.length]}`),
      ),
    ),
  ].sort((a, b) => (a < b ? -1 : 1)),
  (word) => word,
)
