-- Requests of benchmarks/rules.py for wrk: -- FILE MODE. Each line of FILE is a target, a host and a cookie, separated by tabs.
-- MODE "once": the first thread sends all of them once, and then ends wrk. "again": each thread sends them over and over, from another
-- place on.
local ffi = require("ffi")
ffi.cdef [[ int getpid(void); int kill(int pid, int signal); ]]
local SIGINT = 2
local IN_FLIGHT = 100 -- more than the connections have, so that the last request is answered before the end
local threads = 0

function setup(thread)
    thread:set("id", threads)
    threads = threads + 1
end

function init(args)
    requests, once = {}, args[2] == "once"
    for line in io.lines(args[1]) do
        local target, host, cookie = line:match("^(.-)\t(.-)\t(.*)$")
        requests[#requests + 1] = "GET " .. target .. " HTTP/1.1\r\nHost: " .. host .. "\r\nCookie: " .. cookie .. "\r\n\r\n"
    end
    at, left = math.floor(id * #requests / 2), once and #requests + IN_FLIGHT or -1
end

function request()
    if once and id > 0 then
        wrk.thread:stop()
    elseif once then
        left = left - 1
        if left == 0 then
            wrk.thread:stop()
            ffi.C.kill(ffi.C.getpid(), SIGINT)
        end
    end
    at = at % #requests + 1
    return requests[at]
end
