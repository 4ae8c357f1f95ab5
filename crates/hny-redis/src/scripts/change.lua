-- An announced change is over: its state is kept if it is the newest, and one change less is under way.
-- KEYS[1]: the record. ARGV: the version; the state; how long to keep it in milliseconds; the channel; what to publish there.
-- Version and state are 0 and empty where nothing came of the change.
local record = redis.call('GET', KEYS[1]) or ''
local version, pending, state = string.match(record, '^(%d+) (%d+) (.*)$')
version, pending, state = version or string.rep('0', 20), tonumber(pending) or 0, state or ''
pending = math.max(pending - 1, 0)
if ARGV[1] > version then
  version, state = ARGV[1], ARGV[2]
end
if version > string.rep('0', 20) or pending > 0 then
  local text = version .. string.format(' %03d ', pending) .. state
  -- While another is under way, the record ends when that one is given up.
  if pending > 0 then
    redis.call('SET', KEYS[1], text, 'KEEPTTL')
  else
    redis.call('SET', KEYS[1], text, 'PX', ARGV[3])
  end
else
  redis.call('DEL', KEYS[1])
end
if ARGV[5] ~= '' then
  redis.call('PUBLISH', ARGV[4], ARGV[5])
end
