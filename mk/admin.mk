LIBS += -ljansson -lmicrohttpd
