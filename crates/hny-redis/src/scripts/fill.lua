-- What the database said is kept, if it is the newest and no change is under way.
-- KEYS[1]: the record. ARGV: the version; the state; how long to keep it in milliseconds; the channel; what to publish there,
-- or nothing. Answers 1 or 0.
if ARGV[5] ~= '' then
  redis.call('PUBLISH', ARGV[4], ARGV[5])
end
local record = redis.call('GET', KEYS[1]) or ''
local version, pending, state = string.match(record, '^(%d+) (%d+) (.*)$')
if version and (tonumber(pending) > 0 or version > ARGV[1] or (version == ARGV[1] and state ~= '')) then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1] .. ' 000 ' .. ARGV[2], 'PX', ARGV[3])
return 1
