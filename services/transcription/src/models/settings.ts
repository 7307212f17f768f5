import { join } from 'node:path'
import { baseSettings, type Logger, onOff, url } from '@voxscribe/service'
import { z } from 'zod'
import { MODEL_SOURCE } from './fetch.ts'
import { type Models, openModels } from './folder.ts'

export const modelSettings = z.object({
  DATA_DIR: baseSettings.shape.DATA_DIR,
  LOCAL_MODEL: z
    .string()
    .optional()
    .describe(
      'Model of `local`: a name of `npm run model`, or a folder with its files; unset: the best that is here',
    ),
  MODEL_DIR: z.string().optional().meta({
    description: 'Folder of the models, one folder each',
    fallback: '`DATA_DIR`/models',
  }),
  MODEL_SOURCE: url.default(MODEL_SOURCE).describe('Hugging Face, or a mirror that serves the same paths'),
  MODEL_FETCH: onOff('on').describe(
    'Whether `npm start` without a key fetches the model that it needs; `npm run model` always does',
  ),
})
export type ModelSettings = z.output<typeof modelSettings>

export const modelsOf = ({ MODEL_DIR, DATA_DIR, LOCAL_MODEL }: ModelSettings, log?: Logger): Models =>
  openModels({ folder: MODEL_DIR ?? join(DATA_DIR, 'models'), named: LOCAL_MODEL, log })
