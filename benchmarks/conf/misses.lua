-- Requests of benchmarks/misses.py for wrk: -- KIND SEED BYTES. "misses": a new target each time. "mixed": bodies
-- of 31 sizes from 10 to 40 KB; a quarter may not be stored, the others have a hundred targets of each size.
-- "hits" (benchmarks/bodies.py): one target.
local threads = 0

function setup(thread)
    threads = threads + 1
    thread:set("id", threads)
end

function init(args)
    kind, bytes, n = args[1], args[3], 0
    prefix = args[2] .. "-" .. id .. "-"
    math.randomseed(tonumber(args[2]) * 1000 + id)
end

local function miss()
    n = n + 1
    return "/gen/" .. bytes .. "?as=" .. prefix .. n
end

local function mixed()
    local target = "/gen/" .. math.random(10, 40) * 1024
    return math.random(4) == 1 and target or target .. "?as=" .. math.random(100)
end

local function hit()
    return "/gen/" .. bytes .. "?as=one"
end

local targets = { misses = miss, mixed = mixed, hits = hit }

function request()
    return "GET " .. targets[kind]() .. " HTTP/1.1\r\nHost: bench\r\n\r\n"
end
