// Loads the prebuilt library, without building or downloading anything: exit code 0 where it runs on this system.
import { getLlama } from 'node-llama-cpp'

const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true })
await llama.dispose()
