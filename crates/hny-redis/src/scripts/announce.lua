-- A change is announced: the state goes, its version stays, and one more change is under way.
-- KEYS[1]: the record. ARGV: how long to wait for the change at most, in milliseconds.
local record = redis.call('GET', KEYS[1]) or ''
local version = string.match(record, '^(%d+) ') or string.rep('0', 20)
local pending = tonumber(string.match(record, '^%d+ (%d+) ')) or 0
if pending == 999 then
  return redis.error_reply('ERR too many changes of one code are announced')
end
redis.call('SET', KEYS[1], version .. string.format(' %03d ', pending + 1), 'PX', ARGV[1])
