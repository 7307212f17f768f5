// Starts a server of plain parts: Express, and mongoose connected to MONGO_URL. Listens on PORT.
import express from 'express'
import mongoose from 'mongoose'

await mongoose.connect(process.env.MONGO_URL ?? '')
const app = express()
app.get('/api/config', (_request, response) => void response.json({ success: true }))
app.listen(Number(process.env.PORT), '127.0.0.1')
